import { vi } from 'vitest'
import { PostgresQuery } from '../storage/postgres/postgres-query.ts'
import { SqliteQuery } from '../storage/sqlite/prepared-query.ts'
import type { Storage } from '../storage/index.ts'

/** Returns the number of statements that work sends to the database. */
export async function countStatements(
  storage: Storage,
  work: () => Promise<unknown>,
): Promise<number> {
  // On PostgreSQL all others end in these two.
  const spies =
    storage.engine === 'postgres'
      ? (['all', 'run'] as const).map((name) => vi.spyOn(PostgresQuery.prototype, name))
      : [
          ...(['all', 'allBeside', 'get', 'run'] as const).map((name) => vi.spyOn(storage, name)),
          ...(['all', 'allBeside', 'get', 'run', 'take'] as const).map((name) =>
            vi.spyOn(SqliteQuery.prototype, name),
          ),
        ]
  try {
    await work()
    return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
