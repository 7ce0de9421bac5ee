import { sql, type Dialect as KyselyDialect, type KyselyPlugin, type RawBuilder } from 'kysely'

/** Rows to be added to a word index. */
export interface IndexedWords {
  readonly index: string
  readonly columns: readonly string[]
  /** SQL that returns a number and a text for each column: a list of values, or a query. */
  readonly rows: string
}

/** Unit of time for grouping: `2026-03-29`, or `2026-03-29 14:00`. */
export type TimeUnit = 'day' | 'hour'

/**
 * The few SQL differences between the engines. Everything else is written in the SQL they share;
 * SQLite functions that PostgreSQL lacks are created there (`postgres/functions.ts`).
 */
export interface Dialect {
  /** Parts with which kysely writes statements. */
  readonly parts: Omit<KyselyDialect, 'createDriver'>
  /** Plugins with which kysely transforms statements before writing them. */
  readonly plugins?: readonly KyselyPlugin[]
  /** Operator `like`, ignoring the case of ASCII letters. */
  readonly like: string
  /** Returns an expression that compares and sorts ignoring the case of ASCII letters. */
  readonly withoutCase: (expression: string) => string
  /** Returns a suffix of a table name that forces this index. */
  readonly through: (index: string) => string
  /** Returns a column for a condition for which no index is to be used. */
  readonly unindexed: (column: string) => string
  /** Returns a suffix that keeps the order of a statement that reads from an ordered part. */
  readonly keepOrder: (order: string) => string
  /**
   * Returns the end of a step of a recursive statement, `from` and `where`: for each row of `known`,
   * the rows of a table that fulfil a condition are looked up through its index, whatever the
   * statistics say. The table has an alias, as in `message m`.
   */
  readonly eachIn: (known: string, table: string, condition: string) => string
  /** Returns the distinct values of a group, separated by commas. */
  readonly joined: (column: string) => string
  /** Returns the day or the hour of a time in seconds, in the time zone of the gateway. */
  readonly localTime: (column: string, unit: TimeUnit) => string
  /** Returns a count in a JSON document at a path such as `usage.total`; 0 for anything else. */
  readonly countIn: (document: string, path: string) => string
  /**
   * Returns the input or output tokens reported for a message, in the way the index of answers
   * contains them.
   */
  readonly tokens: (side: 'input' | 'output') => string
  /** Writes texts to a word index, replacing the former ones. */
  readonly putWords: (words: IndexedWords) => string
  /**
   * Returns a condition that a row of a word index matches a query; `alias` is its name in the
   * statement.
   */
  readonly matches: (alias: string, index: string, query: string) => string
  /** Returns the rank of a match; the lowest is the best. */
  readonly rank: (alias: string, query: string) => string
}

/** Returns the rows of a word index that match a query, for a condition of the query builder. */
export function rowsMatching(dialect: Dialect, index: string, query: string): RawBuilder<number> {
  const [before = '', after = ''] = dialect.matches(index, index, '?').split('?')
  return sql`(select rowid from ${sql.ref(index)} where ${sql.raw(before)}${query}${sql.raw(after)})`
}
