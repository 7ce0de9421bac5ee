import { nowSeconds } from '../../lib/ids.ts'
import type { Storage } from '../../storage/index.ts'
import type { OAuthSessionTable, SingleSignOnTables } from '../../storage/tables/single-sign-on.ts'

/** Identity of a user at a provider. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

export type OAuthSessionRow = OAuthSessionTable

/** SQL on the tables of `0032-single-sign-on`. */
export class SingleSignOnStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async findUser(identity: Identity): Promise<string | null> {
    return (await this.#storage.get(this.#of(identity).select('user_id')))?.user_id ?? null
  }

  /** Links an identity to an account; replaces a link to another account. */
  async putIdentity(
    { issuer, subject }: Identity,
    provider: string,
    userId: string,
  ): Promise<void> {
    const now = nowSeconds()
    const row = { issuer, subject, provider, user_id: userId, created_at: now, last_used_at: now }
    await this.#storage.run(
      this.#storage.builder
        .insertInto('oauth_identity')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['issuer', 'subject'])
            .doUpdateSet({ user_id: userId, provider, last_used_at: now }),
        ),
    )
  }

  identitiesOf(userId: string): Promise<SingleSignOnTables['oauth_identity'][]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('oauth_identity')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at'),
    )
  }

  async insertSession(row: OAuthSessionRow): Promise<void> {
    await this.#storage.insert('oauth_session', row)
  }

  async updateSession(
    id: string,
    changes: Pick<OAuthSessionRow, 'tokens' | 'expires_at' | 'is_renewable'>,
  ): Promise<void> {
    await this.#storage.update('oauth_session', id, { ...changes, updated_at: nowSeconds() })
  }

  async getSession(id: string): Promise<OAuthSessionRow | null> {
    return (await this.#storage.get(this.#sessions().where('id', '=', id))) ?? null
  }

  async findSession(secretHash: string): Promise<OAuthSessionRow | null> {
    return (await this.#storage.get(this.#sessions().where('secret_hash', '=', secretHash))) ?? null
  }

  /** Returns the newest first. */
  listSessions(userId: string): Promise<OAuthSessionRow[]> {
    return this.#storage.all(
      this.#sessions().where('user_id', '=', userId).orderBy('began_at', 'desc').orderBy('id'),
    )
  }

  async sessionsAt(
    place: Identity | { readonly issuer: string; readonly sid: string },
  ): Promise<OAuthSessionRow[]> {
    const atIssuer = this.#sessions().where('issuer', '=', place.issuer)
    return this.#storage.all(
      'sid' in place
        ? atIssuer.where('sid', '=', place.sid)
        : atIssuer.where('subject', '=', place.subject),
    )
  }

  async removeSession(id: string): Promise<boolean> {
    return (await this.#storage.remove('oauth_session', id)) > 0
  }

  removeSessionsOf(userId: string, provider: string): Promise<number> {
    return this.#storage.remove('oauth_session', { user_id: userId, provider })
  }

  async noteUnproved(userId: string): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('unproved_email')
        .values({ user_id: userId })
        .onConflict((conflict) => conflict.doNothing()),
    )
  }

  async isUnproved(userId: string): Promise<boolean> {
    return (
      (await this.#storage.get(
        this.#storage.builder
          .selectFrom('unproved_email')
          .select('user_id')
          .where('user_id', '=', userId),
      )) !== undefined
    )
  }

  async noteProved(userId: string): Promise<void> {
    await this.#storage.remove('unproved_email', { user_id: userId })
  }

  /** Records that something was used; resolves with false if it had been before. */
  async spend(
    kind: SingleSignOnTables['spent_token']['kind'],
    id: string,
    expiresAt: number,
  ): Promise<boolean> {
    await this.#storage.run(
      this.#storage.builder.deleteFrom('spent_token').where('expires_at', '<', nowSeconds()),
    )
    return (
      (await this.#storage.run(
        this.#storage.builder
          .insertInto('spent_token')
          .values({ kind, id, expires_at: expiresAt })
          .onConflict((conflict) => conflict.doNothing()),
      )) > 0
    )
  }

  async isSpent(kind: SingleSignOnTables['spent_token']['kind'], id: string): Promise<boolean> {
    return (
      (await this.#storage.get(
        this.#storage.builder
          .selectFrom('spent_token')
          .select('id')
          .where('kind', '=', kind)
          .where('id', '=', id),
      )) !== undefined
    )
  }

  #sessions() {
    return this.#storage.builder.selectFrom('oauth_session').selectAll()
  }

  #of({ issuer, subject }: Identity) {
    return this.#storage.builder
      .selectFrom('oauth_identity')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
  }
}
