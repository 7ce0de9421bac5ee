import type { MovedTable } from './tables.ts'

/** What both engines store. */
export type Value = string | number | Buffer | null
export type Row = readonly Value[]

/** What is put into an index of words: the number of a row, and a text for each column. */
export interface WordsToIndex {
  readonly index: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** The numbers that rows to come go on from, by table. */
export type Counters = ReadonlyMap<string, number>

/** Where data come from: a consistent state of a database that no gateway works on. */
export interface DataSource {
  /** The rows of a query that both engines understand, some at a time. */
  query(text: string): AsyncIterable<Row[]>
  counters(): Promise<Counters>
  close(): Promise<void>
}

/**
 * Where data go: a database with a schema and no rows. Whatever ends the move before `keep` leaves it
 * so.
 */
export interface DataTarget extends Pick<DataSource, 'query' | 'close'> {
  write(table: MovedTable, rows: readonly Row[]): Promise<void>
  writeWords(words: WordsToIndex): Promise<void>
  /** Makes what was written the content of the database; throws where it refers to what is not there. */
  keep(counters: Counters): Promise<void>
}

/** A value as PostgreSQL can keep it: it has no character 0. */
export const toMovable = (value: Value): Value =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{fffd}') : value

/** Numbers of passages to come go on behind those that arrived. */
export const SET_GENERATION =
  'update retrieval_generation set next_chunk = (select coalesce(max(id), 0) + 1 from retrieval_chunk)'

/** How many rows are read and written at once, and how many characters and bytes at most. */
export const ROWS_AT_ONCE = 500
export const SIZE_AT_ONCE = 8 * 1024 * 1024

const sizeOf = (value: Value): number =>
  typeof value === 'number' || value === null ? 8 : value.length

/** Rows in groups that fit into memory and into a statement. */
export function* inGroups(rows: Iterable<Row>, most = ROWS_AT_ONCE): Generator<Row[]> {
  let group: Row[] = []
  let size = 0
  for (const row of rows) {
    group.push(row)
    size += row.reduce((sum: number, value) => sum + sizeOf(value), 0)
    if (group.length === most || size > SIZE_AT_ONCE) {
      yield group
      group = []
      size = 0
    }
  }
  if (group.length > 0) yield group
}
