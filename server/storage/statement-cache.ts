import type Sqlite from 'better-sqlite3'
import type { Compilable } from 'kysely'

/**
 * Lists of varying length (`in (?, ?, …)`) make many texts, so the cache is bounded; the oldest
 * statement goes first.
 */
const LARGEST_CACHE = 500

const toBindable = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)

/** A prepared statement with the values of one query. */
export interface BoundStatement {
  readonly statement: Sqlite.Statement
  readonly values: unknown[]
}

/** Prepares each SQL text once and binds the values of compiled queries to it. */
export function createStatementCache(
  sqlite: Sqlite.Database,
): (query: Compilable<unknown>) => BoundStatement {
  const statements = new Map<string, Sqlite.Statement>()

  const prepare = (sql: string): Sqlite.Statement => {
    const known = statements.get(sql)
    if (known) return known
    const statement = sqlite.prepare(sql)
    if (statements.size >= LARGEST_CACHE) statements.delete(statements.keys().next().value!)
    statements.set(sql, statement)
    return statement
  }

  return (query) => {
    const { sql, parameters } = query.compile()
    return { statement: prepare(sql), values: parameters.map(toBindable) }
  }
}
