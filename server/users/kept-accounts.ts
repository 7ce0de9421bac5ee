import type { Role } from '#contract/common.ts'
import type { Storage } from '../storage/index.ts'
import type { UserRecord } from './user-record.ts'

/** A few hundred bytes each. Events of a channel read the account of each member. */
const MOST_KEPT = 20_000

/**
 * Accounts as they were last read, because every authenticated request reads its own, and the roles
 * of all, because calls under way ask for the role their caller has now. A write to an account must
 * call `forget`.
 */
export class KeptAccounts {
  readonly #storage: Storage
  readonly #read: (id: string) => Promise<UserRecord | null>
  readonly #kept = new Map<string, UserRecord>()
  readonly #roles = new Map<string, Role>()
  // Those of accounts that are gone stay, as calls under way have to be those of a guest until then.
  readonly #guests = new Set<string>()
  /** Counts what was forgotten, as an account may change while it is read. */
  #changes = 0

  constructor(storage: Storage, read: (id: string) => Promise<UserRecord | null>) {
    this.#storage = storage
    this.#read = read
  }

  /** Takes the roles of all accounts into memory, and which are guests. */
  load(
    accounts: Iterable<{ readonly id: string; readonly role: Role; readonly isGuest: boolean }>,
  ) {
    for (const { id, role, isGuest } of accounts) {
      this.#roles.set(id, role)
      if (isGuest) this.#guests.add(id)
    }
  }

  roleOf(id: string): Role | null {
    return this.#roles.get(id) ?? null
  }

  isGuest(id: string): boolean {
    return this.#guests.has(id)
  }

  /** To be called with the write; what a rolled back one leaves belongs to no account. */
  addGuest(id: string): void {
    this.#guests.add(id)
  }

  /** As it was last read; undefined when it has to be read. */
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
    if (account === null || before !== this.#changes) return account
    // Of an account that another gateway has just made.
    if (!this.#roles.has(id)) this.#roles.set(id, account.role)
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    this.#kept.set(id, Object.freeze(account))
    return account
  }

  /** Accounts as they were read last, for who looks what others changed of them. */
  kept(): UserRecord[] {
    return [...this.#kept.values()]
  }

  /** To be called with a write; a role of null is that of an account which is gone. */
  forget(id: string, role?: Role | null): void {
    this.#storage.afterCommit(() => {
      this.#changes += 1
      this.#kept.delete(id)
      if (role === null) this.#roles.delete(id)
      else if (role !== undefined) this.#roles.set(id, role)
    })
  }
}
