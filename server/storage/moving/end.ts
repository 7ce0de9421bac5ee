import type { MovedTable } from './tables.ts'

/** A value that both engines can store. */
export type Value = string | number | Buffer | null
export type Row = readonly Value[]

/** A row of a word index: its number, and a text for each column. */
export interface WordsToIndex {
  readonly index: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** Next row numbers, by table. */
export type Counters = ReadonlyMap<string, number>

/** Source of a move: a consistent state of a database that no gateway uses. */
export interface DataSource {
  /** Yields the rows of a query that both engines support, some at a time. */
  query(text: string): AsyncIterable<Row[]>
  counters(): Promise<Counters>
  close(): Promise<void>
}

/**
 * Target of a move: a database with a schema and no rows. If the move ends before `keep`, it stays
 * empty.
 */
export interface DataTarget extends Pick<DataSource, 'query' | 'close'> {
  write(table: MovedTable, rows: readonly Row[]): Promise<void>
  writeWords(words: WordsToIndex): Promise<void>
  /** Makes the written rows the content of the database; throws if a reference has no target. */
  keep(counters: Counters): Promise<void>
}

/** Returns a value that PostgreSQL can store: it does not support the character 0. */
export const toMovable = (value: Value): Value =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{fffd}') : value

/** Numbers of future passages continue after those that were moved. */
export const SET_GENERATION =
  'update retrieval_generation set next_chunk = (select coalesce(max(id), 0) + 1 from retrieval_chunk)'

/** Maximum number of rows read and written at once, and of their characters and bytes. */
export const ROWS_AT_ONCE = 500
export const SIZE_AT_ONCE = 8 * 1024 * 1024

const sizeOf = (value: Value): number =>
  typeof value === 'number' || value === null ? 8 : value.length

/** Groups rows so that they fit into memory and into a statement. */
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
