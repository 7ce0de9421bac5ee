import type Sqlite from 'better-sqlite3'
import type { DeletionKind } from '../tables/deletions.ts'
import { plans, type Step } from './plans.ts'
import { createWordIndex, ERASED_INDEXES } from './word-indexes.ts'

/** A deletion whose rows are being removed. */
export interface PendingDeletion {
  readonly id: number
  readonly kind: DeletionKind
  readonly subject: string
}

/** What a slice of work did. */
export interface Slice {
  readonly erased: number
  /** Nothing of the part is left. */
  readonly isDone: boolean
}

/** The statements that remove rows, on any connection. The caller opens the transactions. */
export interface Eraser {
  /** The deletions that are not finished, the oldest first. */
  pending(): PendingDeletion[]
  /** Removes for some milliseconds what others can see. */
  hide(deletion: PendingDeletion, milliseconds: number): Slice
  /** Removes rows for some milliseconds; the slice that finds nothing left ends the deletion. */
  erase(deletion: PendingDeletion, milliseconds: number): Slice
  /** How many rows `erase` has before it. */
  count(deletion: PendingDeletion): number
}

/**
 * Rows of one statement. Each takes some microseconds, so that a slice ends soon after its time.
 */
const ROWS = 50

interface Values {
  readonly subject: string
  readonly id?: string
  readonly rows: number
}

export function createEraser(sqlite: Sqlite.Database): Eraser {
  const prepared = new Map<string, Sqlite.Statement<[object], unknown>>()
  const prepare = (text: string): Sqlite.Statement<[object], unknown> => {
    const known = prepared.get(text)
    if (known) return known
    const statement = sqlite.prepare<[object], unknown>(text)
    prepared.set(text, statement)
    return statement
  }
  const change = (text: string, values: Values): number => prepare(text).run(values).changes
  const readPending = sqlite.prepare<[], PendingDeletion>(
    'select id, kind, subject from deletion order by id',
  )
  const end = sqlite.prepare<[number]>('delete from deletion where id = ?')

  /** Does one statement's work of a step; null when nothing of it is left. */
  function advance(step: Step, subject: string): number | null {
    if ('rows' in step) return change(step.rows, { subject, rows: ROWS }) || null
    const id = prepare(step.next).pluck().get({ subject, rows: ROWS }) as string | undefined
    if (id === undefined) return null
    for (const part of step.parts) {
      const removed = change(part, { subject, id, rows: ROWS })
      if (removed > 0) return removed
    }
    return change(step.own, { subject, id, rows: ROWS })
  }

  const indexes = ERASED_INDEXES.map((name) => createWordIndex(sqlite, name))
  const markOnly = (work: () => Slice): Slice =>
    indexes.reduce((inner, index) => () => index.markOnly(inner), work)()

  function work(steps: readonly Step[], subject: string, milliseconds: number): Slice {
    const deadline = performance.now() + milliseconds
    let erased = 0
    for (const step of steps) {
      for (
        let removed = advance(step, subject);
        removed !== null;
        removed = advance(step, subject)
      ) {
        erased += removed
        if (performance.now() >= deadline) return { erased, isDone: false }
      }
    }
    return { erased, isDone: true }
  }

  return {
    pending: () => readPending.all(),
    hide: ({ kind, subject }, milliseconds) => work(plans[kind].hide, subject, milliseconds),
    erase({ id, kind, subject }, milliseconds) {
      const slice = markOnly(() => work(plans[kind].erase, subject, milliseconds))
      if (!slice.isDone) return slice
      for (const text of plans[kind].finish) change(text, { subject, rows: ROWS })
      end.run(id)
      return slice
    },
    count: ({ kind, subject }) =>
      prepare(plans[kind].count).pluck().get({ subject, rows: ROWS }) as number,
  }
}
