import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'

export type RevokedTokenStore = ReturnType<typeof createRevokedTokenStore>

/** SQL on the table `revoked_token`. */
export function createRevokedTokenStore(storage: Storage) {
  const { builder } = storage
  const byId = storage.sqlite.prepare<[string]>(
    builder.selectFrom('revoked_token').select('jti').where('jti', '=', '').compile().sql,
  )
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
    load: () =>
      storage.all(builder.selectFrom('throttle').selectAll().where('ends_at', '>', nowSeconds())),
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

export interface StoredPlace {
  readonly account: string
  readonly kind: 'device' | 'address'
  readonly place: string
  readonly user_id: string
  readonly last_used_at: number
}

export type KnownPlaceStore = ReturnType<typeof createKnownPlaceStore>

/** SQL on the table `known_place`. */
export function createKnownPlaceStore(storage: Storage) {
  const { builder } = storage
  return {
    has: (
      { account, kind, place }: Pick<StoredPlace, 'account' | 'kind' | 'place'>,
      since: number,
    ): boolean => {
      const found = builder
        .selectFrom('known_place')
        .select('place')
        .where('account', '=', account)
        .where('kind', '=', kind)
      return (
        storage.get(found.where('place', '=', place).where('last_used_at', '>=', since)) !==
        undefined
      )
    },
    /** Keeps nothing for an account that is gone. */
    put: ({ account, kind, place, user_id, last_used_at }: StoredPlace): void => {
      storage.run(
        builder
          .insertInto('known_place')
          .columns(['account', 'kind', 'place', 'user_id', 'last_used_at'])
          .expression(
            builder
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
    },
    /** Forgets all of a kind but so many that were used last. */
    trim: ({ account, kind }: Pick<StoredPlace, 'account' | 'kind'>, kept: number): void => {
      const own = builder
        .selectFrom('known_place')
        .where('account', '=', account)
        .where('kind', '=', kind)
      const surplus = own
        .select('place')
        .orderBy('last_used_at', 'desc')
        .orderBy('place')
        .limit(-1)
        .offset(kept)
      storage.run(
        builder
          .deleteFrom('known_place')
          .where('account', '=', account)
          .where('kind', '=', kind)
          .where('place', 'in', surplus),
      )
    },
    /** Forgets places nobody signed in from since. */
    purge: (before: number): void => {
      storage.run(builder.deleteFrom('known_place').where('last_used_at', '<', before))
    },
    /** Forgets every place of an account, as after a change of its password. */
    removeOf: (userId: string): void => {
      storage.run(builder.deleteFrom('known_place').where('user_id', '=', userId))
    },
  }
}

/** A sign-in that has not ended. */
export interface StoredSession {
  readonly jti: string
  readonly user_id: string
  readonly token_version: number
  readonly created_at: number
  readonly last_used_at: number
  readonly expires_at: number | null
  readonly user_agent: string
  readonly address: string
}

export type SessionStore = ReturnType<typeof createSessionStore>

/** SQL on the table `user_session`. */
export function createSessionStore(storage: Storage) {
  const { builder } = storage
  return {
    insert: (session: StoredSession): void => {
      storage.run(builder.insertInto('user_session').values(session))
    },
    list: (userId: string): StoredSession[] =>
      storage.all(
        builder
          .selectFrom('user_session')
          .selectAll()
          .where('user_id', '=', userId)
          .orderBy('last_used_at', 'desc')
          .orderBy('jti'),
      ),
    remove: (jti: string): void => {
      storage.run(builder.deleteFrom('user_session').where('jti', '=', jti))
    },
    /** Forgets the sessions of an account that a new token version ended. */
    removeOutdated: (userId: string, tokenVersion: number): void => {
      storage.run(
        builder
          .deleteFrom('user_session')
          .where('user_id', '=', userId)
          .where('token_version', '<', tokenVersion),
      )
    },
    /** Forgets sessions whose time is over. */
    purge: (): void => {
      storage.run(builder.deleteFrom('user_session').where('expires_at', '<', nowSeconds()))
    },
    setLastUsed: (times: ReadonlyMap<string, number>): void => {
      if (!storage.sqlite.open) return
      storage.transaction(() => {
        for (const [jti, at] of times)
          storage.run(
            builder.updateTable('user_session').set({ last_used_at: at }).where('jti', '=', jti),
          )
      })
    },
  }
}
