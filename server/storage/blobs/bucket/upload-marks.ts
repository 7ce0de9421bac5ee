import type { Storage } from '../../index.ts'

type MarkStorage = Pick<Storage, 'builder' | 'all' | 'run' | 'transaction'>

/**
 * Which bytes are on their way into a bucket, on the table `blob_upload`. What was written down and
 * never got a row is left over, and is deleted like the bytes of a file that was.
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

  /** False when somebody gave the bytes up. */
  async take(id: string): Promise<boolean> {
    const { builder } = this.#storage
    return (await this.#storage.run(builder.deleteFrom('blob_upload').where('id', '=', id))) > 0
  }

  /** Has the bytes deleted, unless a row names them by now. */
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

  /** Those nobody touched since. */
  async silentSince(time: number): Promise<string[]> {
    const { builder } = this.#storage
    const silent = builder.selectFrom('blob_upload').select('id').where('touched_at', '<', time)
    return (await this.#storage.all(silent)).map(({ id }) => id)
  }
}
