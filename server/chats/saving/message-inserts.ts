import { inGroups } from '../../lib/timing/in-groups.ts'
import { mapInOrder } from '../../lib/in-order.ts'
import type { Storage } from '../../storage/index.ts'
import type { NewMessageRow } from '../chat-rows.ts'

const NEW_MESSAGE = [
  'chat_id',
  'id',
  'parent_id',
  'role',
  'content',
  'parts',
  'reasoning_content',
  'model',
  'done',
  'running',
  'timestamp',
  'extra',
] as const

const toValues = (row: NewMessageRow) => NEW_MESSAGE.map((column) => row[column])

/**
 * Returns the statement that inserts this many messages and returns their `seq` in the same order.
 */
const toInsert = (rows: number): string => {
  const row = `(${NEW_MESSAGE.map(() => '?').join(', ')})`
  const values = Array.from({ length: rows }, () => row).join(', ')
  return `insert into message (${NEW_MESSAGE.join(', ')}) values ${values} returning seq`
}

/** Inserts messages, as many per statement as suits the database. */
export class MessageInserts {
  readonly #atOnce: number
  readonly #one
  readonly #group

  constructor(storage: Storage) {
    this.#atOnce = storage.pace.rows
    this.#one = storage.prepare<unknown[], number>(toInsert(1)).pluck()
    this.#group = storage.prepare<unknown[], number>(toInsert(this.#atOnce)).pluck()
  }

  /** Resolves with the `seq` of each. */
  async insert(rows: readonly NewMessageRow[]): Promise<number[]> {
    const seqs: number[] = []
    await mapInOrder(inGroups(rows, this.#atOnce), async (group) => {
      if (group.length === this.#atOnce)
        seqs.push(...(await this.#group.all(...group.flatMap(toValues))))
      else for (const row of group) seqs.push((await this.#one.get(...toValues(row)))!)
    })
    return seqs
  }
}
