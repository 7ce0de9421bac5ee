import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'

/**
 * SQL on the table `revoked_token`, all of which is cached in memory, because every new token is
 * checked against it.
 */
export class RevokedTokenStore {
  readonly #storage: Storage
  readonly #known = new Set<string>()

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async load(): Promise<void> {
    await this.purge()
    const rows = await this.#storage.all(
      this.#storage.builder.selectFrom('revoked_token').select('jti'),
    )
    for (const { jti } of rows) this.#known.add(jti)
  }

  /** Loads revocations added by other gateways; returns the ids of their users. */
  async takeAdded(ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const owners = new Set<string>()
    for (const jti of ids) {
      const row = await this.#storage.get(
        this.#storage.builder.selectFrom('revoked_token').select('user_id').where('jti', '=', jti),
      )
      if (!row) continue
      this.#known.add(jti)
      owners.add(row.user_id)
    }
    return owners
  }

  has(jti: string): boolean {
    return this.#known.has(jti)
  }

  async add(token: { jti: string; user_id: string; expires_at: number | null }): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('revoked_token')
        .values(token)
        .onConflict((conflict) => conflict.column('jti').doNothing()),
    )
    this.#storage.afterCommit(() => this.#known.add(token.jti))
  }

  /** Deletes tokens that have expired and would be refused anyway. */
  async purge(): Promise<void> {
    await this.#storage.run(
      this.#storage.builder.deleteFrom('revoked_token').where('expires_at', '<', nowSeconds()),
    )
  }
}

export interface StoredThrottle {
  readonly tries: number
  readonly ends_at: number
}

/** SQL on the table `throttle`. */
export class ThrottleStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  load() {
    return this.#storage.all(
      this.#storage.builder.selectFrom('throttle').selectAll().where('ends_at', '>', nowSeconds()),
    )
  }

  async save(windows: ReadonlyMap<string, StoredThrottle>): Promise<void> {
    if (!this.#storage.isOpen) return
    await this.#storage.transaction(async () => {
      await this.#storage.run(
        this.#storage.builder.deleteFrom('throttle').where('ends_at', '<=', nowSeconds()),
      )
      for (const [subject, { tries, ends_at }] of windows) {
        await this.#storage.run(
          this.#storage.builder
            .insertInto('throttle')
            .values({ subject, tries, ends_at })
            .onConflict((conflict) => conflict.column('subject').doUpdateSet({ tries, ends_at })),
        )
      }
    })
  }
}

interface StoredPlace {
  readonly account: string
  readonly kind: 'device' | 'address'
  readonly place: string
  readonly user_id: string
  readonly last_used_at: number
}

/** SQL on the table `known_place`. */
export class KnownPlaceStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async has(
    { account, kind, place }: Pick<StoredPlace, 'account' | 'kind' | 'place'>,
    since: number,
  ): Promise<boolean> {
    const found = this.#storage.builder
      .selectFrom('known_place')
      .select('place')
      .where('account', '=', account)
      .where('kind', '=', kind)
    return (
      (await this.#storage.get(
        found.where('place', '=', place).where('last_used_at', '>=', since),
      )) !== undefined
    )
  }

  /** Stores nothing for a deleted account. */
  async put({ account, kind, place, user_id, last_used_at }: StoredPlace): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('known_place')
        .columns(['account', 'kind', 'place', 'user_id', 'last_used_at'])
        .expression(
          this.#storage.builder
            .selectFrom('user')
            .select((make) => [
              make.val(account).as('account'),
              make.val(kind).as('kind'),
              make.val(place).as('place'),
              make.ref('id').as('user_id'),
              make.val(last_used_at).as('last_used_at'),
            ])
            .where('id', '=', user_id),
        )
        .onConflict((conflict) =>
          conflict.columns(['account', 'kind', 'place']).doUpdateSet({ user_id, last_used_at }),
        ),
    )
  }

  /** Deletes all of a kind except the given number of most recently used ones. */
  async trim(
    { account, kind }: Pick<StoredPlace, 'account' | 'kind'>,
    kept: number,
  ): Promise<void> {
    const own = this.#storage.builder
      .selectFrom('known_place')
      .where('account', '=', account)
      .where('kind', '=', kind)
    const surplus = own
      .select('place')
      .orderBy('last_used_at', 'desc')
      .orderBy('place')
      .limit(Number.MAX_SAFE_INTEGER)
      .offset(kept)
    await this.#storage.run(
      this.#storage.builder
        .deleteFrom('known_place')
        .where('account', '=', account)
        .where('kind', '=', kind)
        .where('place', 'in', surplus),
    )
  }

  /** Deletes places without a sign-in since the given time. */
  async purge(before: number): Promise<void> {
    await this.#storage.run(
      this.#storage.builder.deleteFrom('known_place').where('last_used_at', '<', before),
    )
  }

  /** Deletes every place of an account, as after a change of its password. */
  async removeOf(userId: string): Promise<void> {
    await this.#storage.remove('known_place', { user_id: userId })
  }
}

/** A stored session. */
export interface StoredSession {
  readonly jti: string
  readonly user_id: string
  readonly token_version: number
  readonly created_at: number
  readonly last_used_at: number
  readonly expires_at: number | null
  readonly user_agent: string
  readonly address: string
  /** 1 if it was opened through the listener for devices of the network. */
  readonly is_shared: number
}

/** Maximum number of listed devices. */
const MOST_SHARED = 500

/** SQL on the table `user_session`. */
export class SessionStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async insert(session: StoredSession): Promise<void> {
    await this.#storage.insert('user_session', session)
  }

  list(userId: string): Promise<StoredSession[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('user_session')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('last_used_at', 'desc')
        .orderBy('jti'),
    )
  }

  /** Returns those of all accounts, the most recently used first. */
  listShared(): Promise<StoredSession[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('user_session')
        .selectAll()
        .where('is_shared', '=', 1)
        .orderBy('last_used_at', 'desc')
        .orderBy('jti')
        .limit(MOST_SHARED),
    )
  }

  async remove(jti: string): Promise<void> {
    await this.#storage.remove('user_session', { jti })
  }

  /** Deletes the sessions of an account that a new token version ended. */
  async removeOutdated(userId: string, tokenVersion: number): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .deleteFrom('user_session')
        .where('user_id', '=', userId)
        .where('token_version', '<', tokenVersion),
    )
  }

  /** Deletes expired sessions. */
  async purge(): Promise<void> {
    await this.#storage.run(
      this.#storage.builder.deleteFrom('user_session').where('expires_at', '<', nowSeconds()),
    )
  }

  async setLastUsed(times: ReadonlyMap<string, number>): Promise<void> {
    if (!this.#storage.isOpen) return
    await this.#storage.transaction(async () => {
      for (const [jti, at] of times)
        await this.#storage.update('user_session', { jti }, { last_used_at: at })
    })
  }
}
