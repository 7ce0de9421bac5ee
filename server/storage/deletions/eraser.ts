import type Sqlite from 'better-sqlite3'
import type { DeletionKind } from '../tables/deletions.ts'
import { plans, type LongRows, type Rows, type Step } from './plans.ts'
import { WordIndex, ERASED_INDEXES } from './word-indexes.ts'

/** A deletion whose rows are being removed. */
export interface PendingDeletion {
  readonly id: number
  readonly kind: DeletionKind
  readonly subject: string
}

/** Result of a slice of work. */
export interface Slice {
  readonly erased: number
  /** True if nothing of the part is left. */
  readonly isDone: boolean
}

/** Maximum number of bytes of long rows removed together, after the first row. */
const MOST_BYTES = 2 * 1024 * 1024

interface Values {
  readonly subject: string
  readonly id?: string
}

interface PickedRow {
  readonly key: number | string
  readonly bytes: number
}

/** Statements that remove rows, on any connection. The caller opens the transactions. */
export class Eraser {
  readonly #sqlite: Sqlite.Database
  readonly #prepared = new Map<string, Sqlite.Statement<[object], unknown>>()
  readonly #readPending
  readonly #end
  readonly #indexes

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite
    this.#readPending = sqlite.prepare<[], PendingDeletion>(
      'select id, kind, subject from deletion order by id',
    )
    this.#end = sqlite.prepare<[number]>('delete from deletion where id = ?')
    this.#indexes = ERASED_INDEXES.map((name) => new WordIndex(sqlite, name))
  }

  /** Re-enables merging in indexes that a process left disabled when it ended prematurely. */
  wakeIndexes(): void {
    for (const index of this.#indexes) if (index.isResting()) index.mergeAgain()
  }

  /** Returns the unfinished deletions, the oldest first. */
  pending(): PendingDeletion[] {
    return this.#readPending.all()
  }

  /** Removes for some milliseconds the rows that other users can see. */
  hide({ kind, subject }: PendingDeletion, milliseconds: number): Slice {
    return this.#work(plans[kind].hide, subject, milliseconds)
  }

  /** Removes rows for some milliseconds; the slice that finds nothing left ends the deletion. */
  erase({ id, kind, subject }: PendingDeletion, milliseconds: number): Slice {
    const slice = this.#markOnly(() => this.#work(plans[kind].erase, subject, milliseconds))
    if (!slice.isDone) return slice
    for (const text of plans[kind].finish) this.#change(text, { subject })
    this.#end.run(id)
    return slice
  }

  /** Returns the number of rows `erase` still has to remove. */
  count({ kind, subject }: PendingDeletion): number {
    return this.#prepare(plans[kind].count).pluck().get({ subject }) as number
  }

  #prepare(text: string): Sqlite.Statement<[object], unknown> {
    const known = this.#prepared.get(text)
    if (known) return known
    const statement = this.#sqlite.prepare<[object], unknown>(text)
    this.#prepared.set(text, statement)
    return statement
  }

  #change(text: string, values: Values): number {
    return this.#prepare(text).run(values).changes
  }

  #removeLong({ pick, remove }: LongRows, values: Values): number {
    const keys: PickedRow['key'][] = []
    let sum = 0
    for (const { key, bytes } of this.#prepare(pick).all(values) as PickedRow[]) {
      if (sum >= MOST_BYTES) break
      keys.push(key)
      sum += bytes
    }
    if (keys.length > 0) this.#prepare(remove).run({ keys: JSON.stringify(keys) })
    return keys.length
  }

  #remove(rows: Rows, values: Values): number {
    return typeof rows === 'string' ? this.#change(rows, values) : this.#removeLong(rows, values)
  }

  /** Runs one statement of a step; returns null if nothing of it is left. */
  #advance(step: Step, subject: string): number | null {
    if ('rows' in step) return this.#remove(step.rows, { subject }) || null
    const id = this.#prepare(step.next).pluck().get({ subject }) as string | undefined
    if (id === undefined) return null
    for (const part of step.parts) {
      const removed = this.#remove(part, { subject, id })
      if (removed > 0) return removed
    }
    return this.#change(step.own, { subject, id })
  }

  #markOnly(work: () => Slice): Slice {
    return this.#indexes.reduce((inner, index) => () => index.markOnly(inner), work)()
  }

  #work(steps: readonly Step[], subject: string, milliseconds: number): Slice {
    const deadline = performance.now() + milliseconds
    let erased = 0
    for (const step of steps) {
      for (
        let removed = this.#advance(step, subject);
        removed !== null;
        removed = this.#advance(step, subject)
      ) {
        erased += removed
        if (performance.now() >= deadline) return { erased, isDone: false }
      }
    }
    return { erased, isDone: true }
  }
}
