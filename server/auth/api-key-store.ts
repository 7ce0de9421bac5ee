import type { ApiKeyLimits } from '#contract/auths.ts'
import type { Storage } from '../storage/index.ts'

/** The part of a key that a call reads. */
export interface StoredKey {
  readonly id: string
  readonly user_id: string
  /** Null for a key without any. */
  readonly limits: ApiKeyLimits | null
}

/** Use of a key; requests and tokens are counted per day, in days since 1970 (UTC). */
export interface KeyUse {
  readonly day: number
  readonly requests: number
  readonly tokens: number
  readonly lastUsedAt: number
  readonly program: string | null
  readonly address: string | null
}

interface NewKey {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly secret_hash: Buffer
  readonly hint: string
  readonly created_at: number
  readonly limits: ApiKeyLimits | null
}

const KEY_COLUMNS = [
  'id',
  'name',
  'hint',
  'created_at',
  'last_used_at',
  'last_used_by',
  'last_used_from',
  'limits',
] as const

interface KeyRow {
  readonly id: string
  readonly user_id: string
  readonly limits: string | null
}

const decodeLimits = (text: string | null): ApiKeyLimits | null =>
  text === null ? null : (JSON.parse(text) as ApiKeyLimits)

const toKey = (row: KeyRow | undefined): StoredKey | null =>
  row ? { ...row, limits: decodeLimits(row.limits) } : null

/** SQL on the tables `api_key` and `api_key_usage`. */
export class ApiKeyStore {
  readonly #storage: Storage
  readonly #byHash

  constructor(storage: Storage) {
    this.#storage = storage
    this.#byHash = storage.prepare<[Buffer], KeyRow>(
      storage.builder
        .selectFrom('api_key')
        .select(['id', 'user_id', 'limits'])
        .where('secret_hash', '=', Buffer.alloc(0))
        .compile().sql,
    )
  }

  async findByHash(hash: Buffer): Promise<StoredKey | null> {
    return toKey(await this.#byHash.get(hash))
  }

  async get(id: string): Promise<StoredKey | null> {
    return toKey(
      await this.#storage.get(
        this.#storage.builder
          .selectFrom('api_key')
          .select(['id', 'user_id', 'limits'])
          .where('id', '=', id),
      ),
    )
  }

  async list(userId: string) {
    return (
      await this.#storage.all(
        this.#storage.builder
          .selectFrom('api_key')
          .select(KEY_COLUMNS)
          .where('user_id', '=', userId)
          .orderBy('created_at')
          .orderBy('id'),
      )
    ).map((row) => ({ ...row, limits: decodeLimits(row.limits) }))
  }

  async count(userId: string): Promise<number> {
    return (await this.#storage.get(
      this.#storage.builder
        .selectFrom('api_key')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId),
    ))!.count
  }

  async insert({ limits, ...key }: NewKey): Promise<void> {
    const row = {
      ...key,
      limits: limits && JSON.stringify(limits),
      last_used_at: null,
      last_used_by: null,
      last_used_from: null,
    }
    await this.#storage.run(this.#storage.builder.insertInto('api_key').values(row))
  }

  async remove(userId: string, id: string): Promise<boolean> {
    return (
      (await this.#storage.run(
        this.#storage.builder
          .deleteFrom('api_key')
          .where('user_id', '=', userId)
          .where('id', '=', id),
      )) > 0
    )
  }

  async removeByName(userId: string, name: string): Promise<boolean> {
    return (
      (await this.#storage.run(
        this.#storage.builder
          .deleteFrom('api_key')
          .where('user_id', '=', userId)
          .where('name', '=', name),
      )) > 0
    )
  }

  async usage(id: string) {
    return (
      (await this.#storage.get(
        this.#storage.builder
          .selectFrom('api_key_usage')
          .select(['day', 'requests', 'tokens'])
          .where('key_id', '=', id),
      )) ?? null
    )
  }

  async saveUses(uses: ReadonlyMap<string, KeyUse>): Promise<void> {
    if (!this.#storage.isOpen) return
    await this.#storage.transaction(async () => {
      for (const [id, use] of uses) await this.#saveUse(id, use)
    })
  }

  /** Does nothing for a key that was deleted meanwhile. */
  async #saveUse(id: string, use: KeyUse): Promise<void> {
    const { builder } = this.#storage
    const last = {
      last_used_at: use.lastUsedAt,
      last_used_by: use.program,
      last_used_from: use.address,
    }
    if (
      (await this.#storage.run(builder.updateTable('api_key').set(last).where('id', '=', id))) === 0
    )
      return
    const usage = { day: use.day, requests: use.requests, tokens: use.tokens }
    await this.#storage.run(
      builder
        .insertInto('api_key_usage')
        .values({ key_id: id, ...usage })
        .onConflict((conflict) => conflict.column('key_id').doUpdateSet(usage)),
    )
  }
}
