import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'

/** What a call needs to know about the key it was made with. */
export interface StoredKey {
  readonly id: string
  readonly user_id: string
}

const KEY_COLUMNS = ['id', 'name', 'hint', 'created_at', 'last_used_at'] as const

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>

/** SQL on the table `api_key`. */
export function createApiKeyStore(storage: Storage) {
  const { builder } = storage
  const byHash = storage.sqlite.prepare<[Buffer], StoredKey>(
    builder.selectFrom('api_key').select(['id', 'user_id']).where('secret_hash', '=', Buffer.alloc(0)).compile().sql,
  )
  return {
    findByHash: (hash: Buffer): StoredKey | null => byHash.get(hash) ?? null,
    list: (userId: string) =>
      storage.all(builder.selectFrom('api_key').select(KEY_COLUMNS).where('user_id', '=', userId).orderBy('created_at').orderBy('id')),
    count: (userId: string): number =>
      storage.get(
        builder
          .selectFrom('api_key')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('user_id', '=', userId),
      )!.count,
    insert: (key: { id: string; user_id: string; name: string; secret_hash: Buffer; hint: string; created_at: number }): void => {
      storage.run(builder.insertInto('api_key').values({ ...key, last_used_at: null }))
    },
    remove: (userId: string, id: string): boolean =>
      storage.run(builder.deleteFrom('api_key').where('user_id', '=', userId).where('id', '=', id)) > 0,
    removeByName: (userId: string, name: string): boolean =>
      storage.run(builder.deleteFrom('api_key').where('user_id', '=', userId).where('name', '=', name)) > 0,
    setLastUsed: (times: ReadonlyMap<string, number>): void => {
      if (!storage.sqlite.open) return
      storage.transaction(() => {
        for (const [id, at] of times) storage.run(builder.updateTable('api_key').set({ last_used_at: at }).where('id', '=', id))
      })
    },
  }
}

export type RevokedTokenStore = ReturnType<typeof createRevokedTokenStore>

/** SQL on the table `revoked_token`. */
export function createRevokedTokenStore(storage: Storage) {
  const { builder } = storage
  const byId = storage.sqlite.prepare<[string]>(builder.selectFrom('revoked_token').select('jti').where('jti', '=', '').compile().sql)
  return {
    has: (jti: string): boolean => byId.get(jti) !== undefined,
    add: (token: { jti: string; user_id: string; expires_at: number | null }): void => {
      storage.run(
        builder
          .insertInto('revoked_token')
          .values(token)
          .onConflict((conflict) => conflict.column('jti').doNothing()),
      )
    },
    /** Forgets tokens that have expired since and would be refused anyway. */
    purge: (): void => {
      storage.run(builder.deleteFrom('revoked_token').where('expires_at', '<', nowSeconds()))
    },
  }
}

export interface StoredThrottle {
  readonly tries: number
  readonly ends_at: number
}

export type ThrottleStore = ReturnType<typeof createThrottleStore>

/** SQL on the table `throttle`. */
export function createThrottleStore(storage: Storage) {
  const { builder } = storage
  return {
    load: () => storage.all(builder.selectFrom('throttle').selectAll().where('ends_at', '>', nowSeconds())),
    save: (windows: ReadonlyMap<string, StoredThrottle>): void => {
      if (!storage.sqlite.open) return
      storage.transaction(() => {
        storage.run(builder.deleteFrom('throttle').where('ends_at', '<=', nowSeconds()))
        for (const [subject, { tries, ends_at }] of windows) {
          storage.run(
            builder
              .insertInto('throttle')
              .values({ subject, tries, ends_at })
              .onConflict((conflict) => conflict.column('subject').doUpdateSet({ tries, ends_at })),
          )
        }
      })
    },
  }
}
