import { sql, type RawBuilder } from 'kysely'
import type { ApiKeyLimits } from '#contract/auths.ts'
import type { Storage } from '../../storage/index.ts'

/** The part of a key that a request reads. */
export interface StoredKey {
  readonly id: string
  readonly user_id: string
  /** Null for a key without limits. */
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

/** Tokens that a call of a key has used, in place of those reserved for it. */
export interface SettledCall {
  /** Id of the reservation. */
  readonly id: string
  readonly keyId: string
  readonly day: number
  readonly tokens: number
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

type DailyCaps = Pick<ApiKeyLimits, 'daily_requests' | 'daily_tokens'>

/**
 * A later day restarts the count; a gateway whose clock is behind adds to the day already started.
 */
const added = (column: 'requests' | 'tokens'): RawBuilder<number> =>
  sql`case when excluded.day > api_key_usage.day then excluded.${sql.ref(column)} else api_key_usage.${sql.ref(column)} + excluded.${sql.ref(column)} end`

const ADDED = {
  day: sql<number>`case when excluded.day > api_key_usage.day then excluded.day else api_key_usage.day end`,
  requests: added('requests'),
  tokens: added('tokens'),
}

const isBelow = (column: 'requests' | 'tokens', cap: number | null): RawBuilder<boolean> =>
  cap === null ? sql`1 = 1` : sql`api_key_usage.${sql.ref(column)} < ${cap}`

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

  count(userId: string): Promise<number> {
    return this.#storage.count(
      this.#storage.builder.selectFrom('api_key').where('user_id', '=', userId),
    )
  }

  async insert({ limits, ...key }: NewKey): Promise<void> {
    const row = {
      ...key,
      limits: limits && JSON.stringify(limits),
      last_used_at: null,
      last_used_by: null,
      last_used_from: null,
    }
    await this.#storage.insert('api_key', row)
  }

  async remove(userId: string, id: string): Promise<boolean> {
    return (await this.#storage.remove('api_key', { user_id: userId, id })) > 0
  }

  async removeByName(userId: string, name: string): Promise<boolean> {
    return (await this.#storage.remove('api_key', { user_id: userId, name })) > 0
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

  /**
   * Counts a call unless the key has used up a daily cap; resolves with true if it was counted.
   * Concurrent calls, on any gateway, never exceed the cap.
   */
  async countCall(id: string, day: number, limits: DailyCaps): Promise<boolean> {
    const { builder } = this.#storage
    const counted = builder
      .insertInto('api_key_usage')
      .columns(['key_id', 'day', 'requests', 'tokens'])
      .expression(this.#newUsage(id, { day, requests: 1, tokens: 0 }))
      .onConflict((conflict) =>
        conflict
          .column('key_id')
          .doUpdateSet(ADDED)
          .where(
            sql<boolean>`excluded.day > api_key_usage.day or (${isBelow('requests', limits.daily_requests)} and ${isBelow('tokens', limits.daily_tokens)})`,
          ),
      )
    return (await this.#storage.run(counted)) > 0
  }

  /**
   * Stores a reservation of the tokens that `grant` returns; nothing if it throws. Concurrent
   * reservations on any gateway are granted one after the other.
   */
  async reserve(
    row: { readonly id: string; readonly key_id: string; readonly replica: string },
    day: number,
    grant: (counts: { readonly used: number; readonly reserved: number }) => number,
  ): Promise<void> {
    const { builder } = this.#storage
    await this.#storage.transaction(async () => {
      const usage = await this.usage(row.key_id)
      const { reserved } = (await this.#storage.get(
        builder
          .selectFrom('api_key_reservation')
          .select(sql<number>`cast(coalesce(sum(tokens), 0) as bigint)`.as('reserved'))
          .where('key_id', '=', row.key_id),
      ))!
      const used = usage !== null && usage.day >= day ? usage.tokens : 0
      const tokens = grant({ used, reserved })
      // A key that was deleted meanwhile, or a gateway considered dead, gets no row.
      await this.#storage.run(
        builder
          .insertInto('api_key_reservation')
          .columns(['id', 'key_id', 'replica', 'tokens'])
          .expression(
            builder
              .selectFrom(['api_key', 'replica'])
              .select((make) => [
                sql<string>`cast(${row.id} as text)`.as('id'),
                make.ref('api_key.id').as('key_id'),
                make.ref('replica.id').as('replica'),
                sql<number>`cast(${tokens} as bigint)`.as('tokens'),
              ])
              .where('api_key.id', '=', row.key_id)
              .where('replica.id', '=', row.replica),
          ),
      )
    })
  }

  /** Removes the reservations of ended calls and counts the tokens they used. */
  async settle(calls: readonly SettledCall[]): Promise<void> {
    if (!this.#storage.isOpen) return
    await this.#storage.transaction(async () => {
      for (const { id, keyId, day, tokens } of calls) {
        await this.#storage.remove('api_key_reservation', id)
        if (tokens > 0) await this.#addUse(keyId, { day, requests: 0, tokens })
      }
    })
  }

  /** Adds counts to the stored ones. Does nothing for a key that was deleted meanwhile. */
  async addUses(uses: ReadonlyMap<string, KeyUse>): Promise<void> {
    if (!this.#storage.isOpen) return
    await this.#storage.transaction(async () => {
      for (const [id, use] of uses) {
        await this.#saveLast(id, use)
        if (use.requests > 0 || use.tokens > 0) await this.#addUse(id, use)
      }
    })
  }

  async saveUses(uses: ReadonlyMap<string, KeyUse>): Promise<void> {
    if (!this.#storage.isOpen) return
    await this.#storage.transaction(async () => {
      for (const [id, use] of uses) await this.#saveUse(id, use)
    })
  }

  /** Does nothing for a key that has been deleted meanwhile. */
  async #saveUse(id: string, use: KeyUse): Promise<void> {
    if (!(await this.#saveLast(id, use))) return
    const { builder } = this.#storage
    const usage = { day: use.day, requests: use.requests, tokens: use.tokens }
    await this.#storage.run(
      builder
        .insertInto('api_key_usage')
        .values({ key_id: id, ...usage })
        .onConflict((conflict) => conflict.column('key_id').doUpdateSet(usage)),
    )
  }

  async #saveLast(id: string, { lastUsedAt, program, address }: KeyUse): Promise<boolean> {
    const last = { last_used_at: lastUsedAt, last_used_by: program, last_used_from: address }
    const changed = await this.#storage.update('api_key', id, last)
    return changed > 0
  }

  async #addUse(id: string, use: Pick<KeyUse, 'day' | 'requests' | 'tokens'>): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('api_key_usage')
        .columns(['key_id', 'day', 'requests', 'tokens'])
        .expression(this.#newUsage(id, use))
        .onConflict((conflict) => conflict.column('key_id').doUpdateSet(ADDED)),
    )
  }

  /** Builds the insertion of the first usage row of a key, if the key still exists. */
  #newUsage(id: string, { day, requests, tokens }: Pick<KeyUse, 'day' | 'requests' | 'tokens'>) {
    return this.#storage.builder
      .selectFrom('api_key')
      .select((make) => [
        make.ref('id').as('key_id'),
        sql<number>`cast(${day} as bigint)`.as('day'),
        sql<number>`cast(${requests} as bigint)`.as('requests'),
        sql<number>`cast(${tokens} as bigint)`.as('tokens'),
      ])
      .where('id', '=', id)
  }
}
