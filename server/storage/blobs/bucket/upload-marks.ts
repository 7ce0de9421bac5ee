import type { Storage } from '../../index.ts'

type MarkStorage = Storage

/**
 * Records of uploads to a bucket, on the table `blob_upload`. A recorded upload that never got a
 * row is left over, and is deleted like the bytes of a deleted file.
 */
export class UploadMarks {
  readonly #storage: MarkStorage

  constructor(storage: MarkStorage) {
    this.#storage = storage
  }

  async begin(id: string, now: number): Promise<void> {
    const { builder } = this.#storage
    await this.#storage.run(builder.insertInto('blob_upload').values({ id, touched_at: now }))
  }

  async touch(ids: readonly string[], now: number): Promise<void> {
    const { builder } = this.#storage
    await this.#storage.run(
      builder.updateTable('blob_upload').set({ touched_at: now }).where('id', 'in', ids),
    )
  }

  /** Resolves with false if the bytes were abandoned. */
  async take(id: string): Promise<boolean> {
    const { builder } = this.#storage
    return (await this.#storage.run(builder.deleteFrom('blob_upload').where('id', '=', id))) > 0
  }

  /** Schedules the bytes for deletion, unless a row names them by now. */
  async giveUp(id: string): Promise<void> {
    const { builder } = this.#storage
    await this.#storage.transaction(async () => {
      if (!(await this.take(id))) return
      await this.#storage.run(
        builder
          .insertInto('file_leftover')
          .values({ kind: 'blob', id })
          .onConflict((each) => each.doNothing()),
      )
    })
  }

  /** Returns those not touched since the given time. */
  async silentSince(time: number): Promise<string[]> {
    const { builder } = this.#storage
    const silent = builder.selectFrom('blob_upload').select('id').where('touched_at', '<', time)
    return (await this.#storage.all(silent)).map(({ id }) => id)
  }
}
