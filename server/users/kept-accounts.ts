import type { Role } from '#contract/common.ts'
import { inGroups } from '../lib/timing/in-groups.ts'
import type { Storage } from '../storage/index.ts'
import type { UserRecord } from './user-record.ts'

/** A few hundred bytes each. Events of a channel read the account of each member. */
const MOST_KEPT = 20_000
/** Number of accounts read in one statement. */
const READ_AHEAD = 200

/**
 * Cached accounts, because every authenticated request reads its own, and the roles of all, because
 * running work needs the current role of its caller. A write to an account must call `forget`.
 */
export class KeptAccounts {
  readonly #storage: Storage
  readonly #read: (id: string) => Promise<UserRecord | null>
  readonly #readSeveral: (ids: readonly string[]) => Promise<UserRecord[]>
  readonly #kept = new Map<string, UserRecord>()
  readonly #roles = new Map<string, Role>()
  // Includes deleted accounts, because running work must still be treated as that of a guest.
  readonly #guests = new Set<string>()
  /** Number of invalidations, because an account may change while it is read. */
  #changes = 0

  constructor(
    storage: Storage,
    read: {
      one: (id: string) => Promise<UserRecord | null>
      several: (ids: readonly string[]) => Promise<UserRecord[]>
    },
  ) {
    this.#storage = storage
    this.#read = read.one
    this.#readSeveral = read.several
  }

  /** Loads the roles of all accounts into memory, and the guests among them. */
  load(
    accounts: Iterable<{ readonly id: string; readonly role: Role; readonly isGuest: boolean }>,
  ) {
    for (const { id, role, isGuest } of accounts) {
      this.#roles.set(id, role)
      if (isGuest) this.#guests.add(id)
    }
  }

  /** Returns the current role of a user; null if the account is deleted. */
  roleOf(id: string): Role | null {
    return this.#roles.get(id) ?? null
  }

  /** See `UserRecord.isGuest`; also for an account deleted since the start. */
  isGuest(id: string): boolean {
    return this.#guests.has(id)
  }

  /** Must be called with the write; after a rollback the id belongs to no account. */
  addGuest(id: string): void {
    this.#guests.add(id)
  }

  /** Returns the account synchronously; undefined if it must be read. */
  known(id: string): UserRecord | undefined {
    // A transaction sees its own writes, which may still be rolled back.
    return this.#storage.inTransaction ? undefined : this.#kept.get(id)
  }

  async get(id: string): Promise<UserRecord | null> {
    // A transaction sees its own writes, which may still be rolled back.
    if (this.#storage.inTransaction) return this.#read(id)
    const known = this.#kept.get(id)
    if (known) return known
    const before = this.#changes
    const account = await this.#read(id)
    if (account !== null && before === this.#changes) this.#keep(account)
    return account
  }

  /**
   * Reads the accounts that are not cached yet in few statements, so that `get` finds them. Callers
   * still have to handle accounts that were deleted or changed since.
   */
  async readAhead(ids: readonly string[]): Promise<void> {
    if (this.#storage.inTransaction) return
    const unknown = [...new Set(ids)].filter((id) => !this.#kept.has(id)).slice(0, MOST_KEPT)
    for (const some of inGroups(unknown, READ_AHEAD)) {
      const before = this.#changes
      const accounts = await this.#readSeveral(some)
      if (before === this.#changes) for (const account of accounts) this.#keep(account)
    }
  }

  #keep(account: UserRecord): void {
    // The account may just have been created by another gateway.
    if (!this.#roles.has(account.id)) this.#roles.set(account.id, account.role)
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    this.#kept.set(account.id, Object.freeze(account))
  }

  /** Returns the cached accounts, to compare them with changes of others. */
  kept(): UserRecord[] {
    return [...this.#kept.values()]
  }

  /** Must be called with a write; a null role means that the account is deleted. */
  forget(id: string, role?: Role | null): void {
    this.#storage.afterCommit(() => {
      this.#changes += 1
      this.#kept.delete(id)
      if (role === null) this.#roles.delete(id)
      else if (role !== undefined) this.#roles.set(id, role)
    })
  }
}
