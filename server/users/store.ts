import { sql, type ExpressionBuilder } from 'kysely'
import type { Role } from '#contract/common.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { among } from '../storage/among.ts'
import type { Storage } from '../storage/index.ts'
import type { Schema } from '../storage/schema.ts'
import type { UserRecord } from './user-record.ts'
import { KeptAccounts } from './kept-accounts.ts'

const COLUMNS = [
  'id',
  'email',
  'name',
  'role',
  'is_first',
  'is_guest',
  'token_version',
  'last_active_at',
  'created_at',
  'updated_at',
] as const

interface UserRow {
  id: string
  email: string
  name: string
  role: Role
  is_first: number
  is_guest: number
  token_version: number
  last_active_at: number | null
  created_at: number
  updated_at: number
}

const toRecord = (row: UserRow): UserRecord => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  profile_image_url: row.is_guest === 1 ? '/user.png' : `/api/v1/users/${row.id}/profile/image`,
  isFirst: row.is_first === 1,
  isGuest: row.is_guest === 1,
  tokenVersion: row.token_version,
  last_active_at: row.last_active_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

interface NewUser {
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly isFirst: boolean
  readonly isGuest: boolean
}

export type UserOrder = 'name' | 'email' | 'created_at' | 'last_active_at' | 'updated_at' | 'role'

export interface UserQuery {
  /** In lower case; empty for all accounts. */
  readonly query: string
  /** True to match only complete e-mail addresses. */
  readonly wholeEmail?: boolean
  readonly order: UserOrder
  readonly direction: 'asc' | 'desc'
  /** Ids of accounts shown before all others. */
  readonly first?: readonly string[]
  /** Ids of the only accounts shown. */
  readonly only?: readonly string[]
  readonly offset: number
  readonly limit: number
}

/** Filter and order of listed accounts. */
export type ListUsers = Partial<
  Pick<UserQuery, 'query' | 'wholeEmail' | 'order' | 'direction' | 'first' | 'only'>
> & {
  readonly page?: number
}

type UserFilter = ExpressionBuilder<Schema, 'user'>

/**
 * Selects accounts that are not deleted. The row of a deleted one stays until nothing refers to it
 * any more.
 */
const existing = ({ builder }: Storage) =>
  builder.selectFrom('user').where('deleted_at', 'is', null)

/** Selects them without the accounts of guest passes, which are shown with the passes. */
const permanent = (storage: Storage) => existing(storage).where('is_guest', '=', 0)

const isOneOf = (where: UserFilter, ids: readonly string[]) =>
  where(
    'id',
    'in',
    where
      .selectFrom(sql<{ value: string }>`json_each(${JSON.stringify(ids)})`.as('ids'))
      .select('value'),
  )

async function readPage(
  storage: Storage,
  options: UserQuery,
): Promise<{ users: UserRecord[]; total: number }> {
  const { query, wholeEmail = false, only, first, order, direction } = options
  const matching = permanent(storage).where((where) => {
    const contains = (column: 'name' | 'email') =>
      where(where.fn<number>('instr', [where.fn('lower', [column]), where.val(query)]), '>', 0)
    const found =
      query === ''
        ? where.lit(true)
        : where.or([contains('name'), wholeEmail ? where('email', '=', query) : contains('email')])
    return only ? where.and([found, isOneOf(where, only)]) : found
  })
  const ranked = first ? matching.orderBy((where) => isOneOf(where, first), 'desc') : matching
  const column = order === 'name' || order === 'email' ? sql`lower(${sql.ref(order)})` : order
  const rows = await storage.all(
    ranked
      .select(COLUMNS)
      .orderBy(column, direction)
      .orderBy(sql`rowid`, direction)
      .limit(options.limit)
      .offset(options.offset),
  )
  const total = await storage.count(matching)
  return { users: rows.map(toRecord), total }
}

/** SQL on the table `user`. */
export class UserStore {
  readonly #storage: Storage
  // @NOTE All writes to the table are below; each forgets the accounts it changes.
  readonly accounts: KeptAccounts

  constructor(storage: Storage) {
    this.#storage = storage
    const byId = storage.prepare<[string], UserRow>(
      existing(storage).select(COLUMNS).where('id', '=', '').compile().sql,
    )
    this.accounts = new KeptAccounts(storage, {
      async one(id) {
        const row = await byId.get(id)
        return row ? toRecord(row) : null
      },
      several: async (ids) =>
        (await storage.all(existing(storage).select(COLUMNS).where('id', 'in', among(ids)))).map(
          toRecord,
        ),
    })
  }

  /** Reads the roles of all accounts, and the guests among them. */
  async load(): Promise<void> {
    const rows = await this.#storage.all(existing(this.#storage).select(['id', 'role', 'is_guest']))
    this.accounts.load(rows.map(({ is_guest, ...row }) => ({ ...row, isGuest: is_guest === 1 })))
  }

  /** Reads an account that another gateway changed; null if it is deleted. */
  async readAgain(id: string): Promise<UserRecord | null> {
    this.accounts.forget(id)
    const account = await this.accounts.get(id)
    this.accounts.forget(id, account?.role ?? null)
    if (account?.isGuest) this.accounts.addGuest(id)
    return account
  }

  async findByEmail(email: string): Promise<UserRecord | null> {
    const row = await this.#storage.get(
      existing(this.#storage).select(COLUMNS).where('email', '=', email),
    )
    return row ? toRecord(row) : null
  }

  async first(): Promise<UserRecord | null> {
    const row = await this.#storage.get(
      existing(this.#storage).select(COLUMNS).where('is_first', '=', 1),
    )
    return row ? toRecord(row) : null
  }

  countActiveSince(time: number): Promise<number> {
    return this.#storage.count(permanent(this.#storage).where('last_active_at', '>', time))
  }

  count(): Promise<number> {
    return this.#storage.count(permanent(this.#storage))
  }

  /** Ids of all accounts, the oldest first. */
  async ids(): Promise<string[]> {
    return (
      await this.#storage.all(
        permanent(this.#storage)
          .select('id')
          .orderBy('created_at')
          .orderBy(sql`rowid`),
      )
    ).map(({ id }) => id)
  }

  page(options: UserQuery) {
    return readPage(this.#storage, options)
  }

  async insert(user: NewUser): Promise<UserRecord> {
    const now = nowSeconds()
    const row: UserRow = {
      id: newId(),
      email: user.email,
      name: user.name,
      role: user.role,
      is_first: user.isFirst ? 1 : 0,
      is_guest: user.isGuest ? 1 : 0,
      token_version: 1,
      last_active_at: null,
      created_at: now,
      updated_at: now,
    }
    await this.#storage.insert('user', row)
    this.accounts.forget(row.id, row.role)
    if (user.isGuest) this.accounts.addGuest(row.id)
    return toRecord(row)
  }

  async update(id: string, changes: { name?: string; email?: string; role?: Role }): Promise<void> {
    await this.#storage.update('user', id, { ...changes, updated_at: nowSeconds() })
    this.accounts.forget(id, changes.role)
  }

  async raiseTokenVersion(id: string): Promise<void> {
    await this.#storage.update('user', id, (set) => ({
      token_version: set('token_version', '+', 1),
    }))
    this.accounts.forget(id)
  }

  async setLastActive(times: ReadonlyMap<string, number>): Promise<void> {
    if (!this.#storage.isOpen) return
    await this.#storage.transaction(async () => {
      for (const [id, at] of times) {
        await this.#storage.update('user', id, { last_active_at: at })
        this.accounts.forget(id)
      }
    })
  }

  /**
   * Deletes an account and frees its e-mail address; resolves with the id of the deletion of its
   * data.
   */
  remove(id: string, name: string): Promise<number> {
    return this.#storage.transaction(async () => {
      const gone = { deleted_at: nowSeconds(), email: `deleted ${id}` }
      await this.#storage.update('user', id, gone)
      this.accounts.forget(id, null)
      return this.#storage.deletions.begin('account', id, name)
    })
  }
}

/** SQL on the tables `user_password` and `user_settings`. */
export class UserDetailStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async passwordHash(userId: string): Promise<string | null> {
    return (
      (
        await this.#storage.get(
          this.#storage.builder
            .selectFrom('user_password')
            .select('hash')
            .where('user_id', '=', userId),
        )
      )?.hash ?? null
    )
  }

  async setPasswordHash(userId: string, hash: string): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('user_password')
        .values({ user_id: userId, hash })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hash })),
    )
  }

  async removePasswordHash(userId: string): Promise<void> {
    await this.#storage.remove('user_password', { user_id: userId })
  }

  async settings(userId: string): Promise<string | null> {
    return (
      (
        await this.#storage.get(
          this.#storage.builder
            .selectFrom('user_settings')
            .select('value')
            .where('user_id', '=', userId),
        )
      )?.value ?? null
    )
  }

  async setSettings(userId: string, value: string): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('user_settings')
        .values({ user_id: userId, value })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ value })),
    )
  }

  async removeSettings(userId: string): Promise<void> {
    await this.#storage.remove('user_settings', { user_id: userId })
  }
}
