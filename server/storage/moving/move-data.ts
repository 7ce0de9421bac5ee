import type { Counters, DataSource, DataTarget, Row } from './end.ts'
import { toMovable } from './end.ts'
import { RowSum } from './row-sum.ts'
import { selectArrived, selectMoved, type MovedTable } from './tables.ts'
import { WORD_INDEXES, type WordIndex } from './word-indexes.ts'

/** How far a move is. */
export interface MoveProgress {
  readonly table: string
  readonly rows: number
}

/** What was moved. */
export interface MoveResult {
  readonly tables: number
  readonly rows: number
  /** Texts in which U+FFFD stands for the character 0 now. */
  readonly changedTexts: number
}

interface Move {
  readonly source: DataSource
  readonly target: DataTarget
  readonly tables: readonly MovedTable[]
  readonly signal: AbortSignal
  readonly tell: (progress: MoveProgress) => void
}

/** A text that PostgreSQL cannot keep is changed on the way in either direction, so that sums fit. */
function prepareRows(rows: readonly Row[]): { prepared: Row[]; changed: number } {
  let changed = 0
  const prepared = rows.map((row) =>
    row.map((value) => {
      const movable = toMovable(value)
      if (movable !== value) changed += 1
      return movable
    }),
  )
  return { prepared, changed }
}

async function copyTable(
  { source, target, signal }: Move,
  table: MovedTable,
): Promise<{ sum: RowSum; changed: number }> {
  const sum = new RowSum()
  let texts = 0
  for await (const rows of source.query(selectMoved(table))) {
    signal.throwIfAborted()
    const { prepared, changed } = prepareRows(rows)
    sum.add(prepared)
    texts += changed
    await target.write(table, prepared)
  }
  return { sum, changed: texts }
}

/** Reads back what was written. */
async function verifyTable({ target, signal }: Move, table: MovedTable, sum: RowSum) {
  const found = new RowSum()
  for await (const rows of target.query(selectArrived(table))) {
    signal.throwIfAborted()
    found.add(rows)
  }
  if (!found.equals(sum))
    throw new Error(
      `${table.name} did not arrive as it was: ${sum.count} rows were sent, and ${found.count} found. Nothing was kept.`,
    )
}

async function makeWords(
  { source, target, signal }: Move,
  { query, toWords, ...index }: WordIndex,
) {
  for await (const rows of source.query(query)) {
    signal.throwIfAborted()
    await target.writeWords({
      ...index,
      rows: rows.map((row) => toWords(row.map(toMovable))),
    })
  }
}

/**
 * Copies every row, compares counts and checksums, and makes the indexes of words anew. All of it is
 * kept at once at the end; whatever ends it before leaves the target as it was.
 */
export async function moveData(move: Move): Promise<MoveResult> {
  const { source, target, tables, tell } = move
  let [rows, changedTexts] = [0, 0]
  for (const table of tables) {
    const { sum, changed } = await copyTable(move, table)
    await verifyTable(move, table, sum)
    rows += sum.count
    changedTexts += changed
    tell({ table: table.name, rows: sum.count })
  }
  for (const index of WORD_INDEXES) await makeWords(move, index)
  const counters: Counters = await source.counters()
  move.signal.throwIfAborted()
  await target.keep(counters)
  return { tables: tables.length, rows, changedTexts }
}
