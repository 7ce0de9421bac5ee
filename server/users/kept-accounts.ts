import type { UserRecord } from './user-record.ts'

/** A few hundred bytes each. Events of a channel read the account of each member. */
const MOST_KEPT = 20_000

/**
 * Accounts as they were last read, because every authenticated request reads its own. A write to an
 * account must call `forget`.
 */
export class KeptAccounts {
  readonly #read: (id: string) => UserRecord | null
  readonly #isInTransaction: () => boolean
  readonly #kept = new Map<string, UserRecord>()

  constructor(read: (id: string) => UserRecord | null, isInTransaction: () => boolean) {
    this.#read = read
    this.#isInTransaction = isInTransaction
  }

  get(id: string): UserRecord | null {
    const known = this.#kept.get(id)
    if (known) return known
    const account = this.#read(id)
    // A transaction may still roll back what is read inside it.
    if (account === null || this.#isInTransaction()) return account
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    this.#kept.set(id, Object.freeze(account))
    return account
  }

  forget(id: string): void {
    this.#kept.delete(id)
  }
}
