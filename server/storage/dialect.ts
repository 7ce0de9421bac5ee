import { sql, type Dialect as KyselyDialect, type KyselyPlugin, type RawBuilder } from 'kysely'

/** How the rows of an index of words are put there. */
export interface IndexedWords {
  readonly index: string
  readonly columns: readonly string[]
  /** What answers a number and a text for each column: a list of values, or a query. */
  readonly rows: string
}

/** What times are counted by: `2026-03-29`, or `2026-03-29 14:00`. */
export type TimeUnit = 'day' | 'hour'

/**
 * The few things the engines say differently. Everything else is written in the SQL they share; what
 * SQLite has as a function and PostgreSQL lacks is made there (`postgres/functions.ts`).
 */
export interface Dialect {
  /** What kysely writes statements with. */
  readonly parts: Omit<KyselyDialect, 'createDriver'>
  /** What kysely does to statements before it writes them. */
  readonly plugins?: readonly KyselyPlugin[]
  /** `like` without regard to the case of letters of ASCII. */
  readonly like: string
  /** An expression that compares and sorts without regard to the case of letters of ASCII. */
  readonly withoutCase: (expression: string) => string
  /** Behind a table: reads it through this index. */
  readonly through: (index: string) => string
  /** A column in a condition that no index is to be chosen for. */
  readonly unindexed: (column: string) => string
  /** Behind a statement that reads from a part in this order: keeps the order. */
  readonly keepOrder: (order: string) => string
  /** The values of a group, each once, with commas in between. */
  readonly joined: (column: string) => string
  /** The whole number a text begins with, or a part of a document is; 0 for anything else. */
  readonly wholeNumber: (expression: string) => string
  /** The day or the hour of a time in seconds, by the clock of the gateway. */
  readonly localTime: (column: string, unit: TimeUnit) => string
  /** A count that a document of JSON holds at a path like `usage.total`; 0 for anything else. */
  readonly countIn: (document: string, path: string) => string
  /** Puts texts into an index of words, in the place of what was there. */
  readonly putWords: (words: IndexedWords) => string
  /** Whether a row of an index of words fits a query; `alias` is its name in the statement. */
  readonly matches: (alias: string, index: string, query: string) => string
  /** How well it fits; the best is the least. */
  readonly rank: (alias: string, query: string) => string
}

/** The rows of an index of words that fit a query, for a condition of the query builder. */
export function rowsMatching(dialect: Dialect, index: string, query: string): RawBuilder<number> {
  const [before = '', after = ''] = dialect.matches(index, index, '?').split('?')
  return sql`(select rowid from ${sql.ref(index)} where ${sql.raw(before)}${query}${sql.raw(after)})`
}
