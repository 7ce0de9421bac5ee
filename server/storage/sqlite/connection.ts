import type Sqlite from 'better-sqlite3'

/**
 * Lists of varying length (`in (?, ?, …)`) create many texts, so the cache is limited; the oldest
 * statement is removed first.
 */
const LARGEST_CACHE = 500

/** A connection that prepares each SQL text once. */
export class Connection {
  readonly sqlite: Sqlite.Database
  readonly #rows = new Map<string, Sqlite.Statement>()
  readonly #values = new Map<string, Sqlite.Statement>()

  constructor(sqlite: Sqlite.Database) {
    this.sqlite = sqlite
  }

  /** With `isPlucked` a row is the value of its first column. */
  prepare(sql: string, isPlucked = false): Sqlite.Statement {
    const statements = isPlucked ? this.#values : this.#rows
    const known = statements.get(sql)
    if (known) return known
    const statement = this.sqlite.prepare(sql)
    if (isPlucked) statement.pluck()
    if (statements.size >= LARGEST_CACHE) statements.delete(statements.keys().next().value!)
    statements.set(sql, statement)
    return statement
  }

  isRead(sql: string): boolean {
    return (this.#rows.get(sql) ?? this.#values.get(sql) ?? this.prepare(sql)).readonly
  }
}
