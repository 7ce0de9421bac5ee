import type { Counters, DataSource, DataTarget, Row } from './end.ts'
import { toMovable } from './end.ts'
import { RowSum } from './row-sum.ts'
import { selectArrived, selectMoved, type MovedTable } from './tables.ts'
import { WORD_INDEXES, type WordIndex } from './word-indexes.ts'

/** Progress of a move. */
export interface MoveProgress {
  readonly table: string
  readonly rows: number
}

/** Result of a move. */
export interface MoveResult {
  readonly tables: number
  readonly rows: number
  /** Number of texts in which U+FFFD has replaced the character 0. */
  readonly changedTexts: number
}

interface Move {
  readonly source: DataSource
  readonly target: DataTarget
  readonly tables: readonly MovedTable[]
  readonly signal: AbortSignal
  readonly tell: (progress: MoveProgress) => void
}

/** A text that PostgreSQL cannot store is changed in either direction, so that checksums match. */
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

/** Verifies the written rows. */
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
 * Copies every row, compares counts and checksums, and rebuilds the word indexes. All of it is
 * committed at the end; if interrupted before, the target stays unchanged.
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
