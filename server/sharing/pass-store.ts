import type { Storage } from '../storage/index.ts'

/** A stored guest pass. Times are unix seconds. */
export interface StoredPass {
  readonly id: string
  readonly name: string
  readonly models: readonly string[]
  readonly message_limit: number
  readonly message_count: number
  readonly secret_hash: Buffer
  readonly created_at: number
  readonly ends_at: number
  readonly used_at: number | null
  readonly ended_at: number | null
  readonly user_id: string | null
}

export type PassChange = Partial<
  Pick<StoredPass, 'message_count' | 'used_at' | 'ended_at' | 'user_id'>
>

/** SQL on the table `guest_pass`. */
export class PassStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Newest first. */
  async list(): Promise<StoredPass[]> {
    const rows = await this.#storage.all(
      this.#storage.builder
        .selectFrom('guest_pass')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id'),
    )
    return rows.map((row) => ({ ...row, models: JSON.parse(row.models) as string[] }))
  }

  /** Number of passes that have not ended. */
  countOpen(): Promise<number> {
    return this.#storage.count(
      this.#storage.builder.selectFrom('guest_pass').where('ended_at', 'is', null),
    )
  }

  async insert(pass: StoredPass): Promise<void> {
    await this.#storage.insert('guest_pass', { ...pass, models: JSON.stringify(pass.models) })
  }

  async update(id: string, change: PassChange): Promise<void> {
    await this.#storage.update('guest_pass', id, change)
  }

  /**
   * Marks a pass as used by a device; returns false if another device was faster, also on another
   * connection.
   */
  async claim(id: string, usedAt: number): Promise<boolean> {
    const changed = await this.#storage.run(
      this.#storage.builder
        .updateTable('guest_pass')
        .set({ used_at: usedAt })
        .where('id', '=', id)
        .where('used_at', 'is', null)
        .where('ended_at', 'is', null),
    )
    return changed > 0
  }

  /** Adds to the count, because concurrent writes may be carried out in any order. */
  async countMessages(id: string, messages: number): Promise<void> {
    await this.#storage.update('guest_pass', id, (row) => ({
      message_count: row('message_count', '+', messages),
    }))
  }

  /** Deletes passes that ended before a time. */
  async purge(before: number): Promise<void> {
    await this.#storage.run(
      this.#storage.builder.deleteFrom('guest_pass').where('ended_at', '<', before),
    )
  }
}
