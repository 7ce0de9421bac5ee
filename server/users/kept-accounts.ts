import type { UserRecord } from './index.ts'

/** A few hundred bytes each. Events of a channel ask for everybody in it, one after the other. */
const MOST_KEPT = 20_000

/**
 * Accounts as they were last read, since every authenticated request asks for its own; whoever
 * writes one has it forgotten.
 */
export interface KeptAccounts {
  get(id: string): UserRecord | null
  forget(id: string): void
}

export function createKeptAccounts(options: {
  readonly read: (id: string) => UserRecord | null
  readonly isInTransaction: () => boolean
}): KeptAccounts {
  const kept = new Map<string, UserRecord>()
  return {
    get(id) {
      const known = kept.get(id)
      if (known) return known
      const account = options.read(id)
      // What is read inside a transaction may yet be taken back.
      if (account === null || options.isInTransaction()) return account
      if (kept.size >= MOST_KEPT) kept.clear()
      kept.set(id, Object.freeze(account))
      return account
    },
    forget: (id) => void kept.delete(id),
  }
}
