import type { PendingDeletion, Slice } from '../deletions/eraser.ts'
import { plans, type LongRows, type Rows, type Step } from '../deletions/plans.ts'
import type { PreparedQuery } from '../sqlite/prepared-query.ts'

/** Maximum number of bytes of long rows removed together, after the first row. */
const MOST_BYTES = 2 * 1024 * 1024

interface Values {
  readonly subject: string
  readonly id?: string | number
}

interface PickedRow {
  readonly key: number | string
  readonly bytes: number
}

/** Statements that remove rows. The caller opens the transactions. */
export class PostgresEraser {
  readonly #prepare: <Row>(sql: string) => PreparedQuery<[object], Row>

  constructor(prepare: <Row>(sql: string) => PreparedQuery<[object], Row>) {
    this.#prepare = prepare
  }

  /** Removes for some milliseconds the rows that other users can see. */
  hide({ kind, subject }: PendingDeletion, milliseconds: number): Promise<Slice> {
    return this.#work(plans[kind].hide, subject, milliseconds)
  }

  /** Removes rows for some milliseconds; the slice that finds nothing left ends the deletion. */
  async erase({ id, kind, subject }: PendingDeletion, milliseconds: number): Promise<Slice> {
    const slice = await this.#work(plans[kind].erase, subject, milliseconds)
    if (!slice.isDone) return slice
    for (const text of plans[kind].finish) await this.#change(text, { subject })
    await this.#prepare('delete from deletion where id = @id').run({ id })
    return slice
  }

  /** Returns the number of rows `erase` still has to remove. */
  async count({ kind, subject }: PendingDeletion): Promise<number> {
    return (await this.#prepare<number>(plans[kind].count).pluck().get({ subject }))!
  }

  async #change(text: string, values: Values): Promise<number> {
    return (await this.#prepare(text).run(values)).changes
  }

  async #removeLong({ pick, remove }: LongRows, values: Values): Promise<number> {
    const keys: (number | string)[] = []
    let sum = 0
    for (const { key, bytes } of await this.#prepare<PickedRow>(pick).all(values)) {
      if (sum >= MOST_BYTES) break
      keys.push(key)
      sum += bytes
    }
    if (keys.length > 0) await this.#prepare(remove).run({ keys: JSON.stringify(keys) })
    return keys.length
  }

  #remove(rows: Rows, values: Values): Promise<number> {
    return typeof rows === 'string' ? this.#change(rows, values) : this.#removeLong(rows, values)
  }

  /** Runs one statement of a step; resolves with null if nothing of it is left. */
  async #advance(step: Step, subject: string): Promise<number | null> {
    if ('rows' in step) return (await this.#remove(step.rows, { subject })) || null
    const next = this.#prepare<string | number>(step.next).pluck()
    const id = await next.get({ subject })
    if (id === undefined) return null
    for (const part of step.parts) {
      const removed = await this.#remove(part, { subject, id })
      if (removed > 0) return removed
    }
    return this.#change(step.own, { subject, id })
  }

  async #work(steps: readonly Step[], subject: string, milliseconds: number): Promise<Slice> {
    const deadline = performance.now() + milliseconds
    let erased = 0
    for (const step of steps) {
      for (
        let removed = await this.#advance(step, subject);
        removed !== null;
        removed = await this.#advance(step, subject)
      ) {
        erased += removed
        if (performance.now() >= deadline) return { erased, isDone: false }
      }
    }
    return { erased, isDone: true }
  }
}
