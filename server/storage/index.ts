import type Sqlite from 'better-sqlite3'
import type { Compilable, Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * The database of the gateway. Queries are built with `builder` (kysely) in `store.ts` files and executed here,
 * synchronously, so that a transaction can never interleave with another request.
 */
export interface Storage {
  readonly builder: Kysely<Schema>
  /** For prepared statements of hot paths and full-text queries, in `store.ts` files only. */
  readonly sqlite: Sqlite.Database
  all<Row>(query: Compilable<Row>): Row[]
  get<Row>(query: Compilable<Row>): Row | undefined
  /** Runs a write and says how many rows changed. */
  run(query: Compilable<unknown>): number
  /** Runs `work` atomically; nested calls become savepoints. `work` must be synchronous. */
  transaction<Result>(work: () => Result): Result
  close(): void
}
