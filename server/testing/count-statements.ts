import { vi } from 'vitest'
import type { Storage } from '../storage/index.ts'
import { PostgresTransactions } from '../storage/postgres/postgres-transactions.ts'
import { ReadThread } from '../storage/reading/read-thread.ts'
import { Transactions } from '../storage/transactions.ts'

/** Returns the number of statements that work sends to the database. */
export async function countStatements(
  storage: Storage,
  work: () => Promise<unknown>,
): Promise<number> {
  const spies =
    storage.engine === 'postgres'
      ? [vi.spyOn(PostgresTransactions.prototype, 'execute')]
      : [vi.spyOn(Transactions.prototype, 'execute'), vi.spyOn(ReadThread.prototype, 'all')]
  try {
    await work()
    return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
