import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import type { ToolServersTables } from '../storage/tables/tool-servers.ts'
import type { ServerRecord, ServerSecrets } from './servers/server-record.ts'

/** A server as stored. */
export interface StoredServer {
  readonly record: ServerRecord
  /**
   * Names of the approved tools with the hash of their description; null until a list was received.
   */
  readonly approved: Readonly<Record<string, string>> | null
  readonly createdAt: number
  readonly updatedAt: number
}

const NO_SECRETS: ServerSecrets = { key: '', headers: {}, environment: {}, client: null }

function secretsPlace(id: string) {
  return `tool_server|${id}|secrets`
}

function tokenPlace(userId: string, serverId: string) {
  return `tool_server_token|${JSON.stringify([userId, serverId])}|token`
}

/** SQL on the tables of tool servers. */
export class ToolServerStore {
  readonly #storage: Storage
  readonly #secrets: Secrets
  readonly #builder

  constructor(storage: Storage, secrets: Secrets) {
    this.#storage = storage
    this.#secrets = secrets
    this.#builder = storage.builder
  }

  async list(): Promise<StoredServer[]> {
    return (
      await this.#storage.all(
        this.#builder.selectFrom('tool_server').selectAll().orderBy('position').orderBy('id'),
      )
    ).map((row) => this.#toServer(row))
  }

  /** Writes a server with its index in the list; approvals stay. */
  async save(record: ServerRecord, position: number): Promise<void> {
    const { secrets: kept, ...plain } = record
    const columns = {
      position,
      record: JSON.stringify(plain),
      secrets: this.#secrets.encrypt(secretsPlace(record.id), JSON.stringify(kept)),
      updated_at: nowSeconds(),
    }
    const row = { id: record.id, approved: null, created_at: nowSeconds(), ...columns }
    await this.#storage.run(
      this.#builder
        .insertInto('tool_server')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(columns)),
    )
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('tool_server', id)
  }

  async approve(id: string, approved: Readonly<Record<string, string>> | null): Promise<void> {
    const value = approved === null ? null : JSON.stringify(approved)
    await this.#storage.update('tool_server', id, { approved: value })
  }

  /** Returns a user's sign-in at a server; null if there is none, or it is unreadable. */
  async readToken(userId: string, serverId: string): Promise<Record<string, unknown> | null> {
    const row = await this.#storage.get(
      this.#builder
        .selectFrom('tool_server_token')
        .select('token')
        .where('user_id', '=', userId)
        .where('server_id', '=', serverId),
    )
    const text = row ? this.#secrets.decrypt(tokenPlace(userId, serverId), row.token) : null
    return text === null ? null : (JSON.parse(text) as Record<string, unknown>)
  }

  /** Null deletes it. */
  async writeToken(
    userId: string,
    serverId: string,
    token: Record<string, unknown> | null,
  ): Promise<void> {
    if (token === null) {
      const gone = this.#builder
        .deleteFrom('tool_server_token')
        .where('user_id', '=', userId)
        .where('server_id', '=', serverId)
      await this.#storage.run(gone)
      return
    }
    const columns = {
      token: this.#secrets.encrypt(tokenPlace(userId, serverId), JSON.stringify(token)),
      updated_at: nowSeconds(),
    }
    await this.#storage.run(
      this.#builder
        .insertInto('tool_server_token')
        .values({ user_id: userId, server_id: serverId, ...columns })
        .onConflict((conflict) => conflict.columns(['user_id', 'server_id']).doUpdateSet(columns)),
    )
  }

  async forgetTokens(serverId: string): Promise<void> {
    await this.#storage.remove('tool_server_token', { server_id: serverId })
  }

  #toServer(row: ToolServersTables['tool_server']): StoredServer {
    const opened = this.#secrets.decrypt(secretsPlace(row.id), row.secrets)
    const plain = JSON.parse(row.record) as Omit<ServerRecord, 'secrets' | 'origin'> &
      Partial<Pick<ServerRecord, 'origin'>>
    return {
      record: {
        ...plain,
        origin: plain.origin ?? 'stored',
        secrets: opened === null ? NO_SECRETS : (JSON.parse(opened) as ServerSecrets),
      },
      approved: row.approved === null ? null : (JSON.parse(row.approved) as Record<string, string>),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  }
}
