import type { Storage } from '../../storage/index.ts'

/** SQL on the table `file_text`. */
export class TextStore {
  readonly #storage: Storage
  readonly #builder

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
  }

  /** Returns the newest version of a text, including unfinished ones. */
  async lastVersion(fileId: string): Promise<number> {
    return (
      (
        await this.#storage.get(
          this.#builder
            .selectFrom('file_text')
            .select((each) => each.fn.max<number | null>('version').as('version'))
            .where('file_id', '=', fileId),
        )
      )?.version ?? 0
    )
  }

  async insert(
    fileId: string,
    version: number,
    pieces: readonly { seq: number; text: string }[],
  ): Promise<void> {
    await this.#storage.transaction(async () => {
      for (const piece of pieces)
        await this.#storage.insert('file_text', { file_id: fileId, version, ...piece })
    })
  }

  async piece(fileId: string, version: number, seq: number): Promise<string | null> {
    return (
      (
        await this.#storage.get(
          this.#builder
            .selectFrom('file_text')
            .select('text')
            .where('file_id', '=', fileId)
            .where('version', '=', version)
            .where('seq', '=', seq),
        )
      )?.text ?? null
    )
  }

  /** Files with chunks of obsolete versions, and their valid version. */
  stale(): Promise<{ id: string; text_version: number }[]> {
    return this.#storage.all(
      this.#builder
        .selectFrom('file_text')
        .innerJoin('file', 'file.id', 'file_text.file_id')
        .select(['file.id', 'file.text_version'])
        .distinct()
        .whereRef('file_text.version', '!=', 'file.text_version'),
    )
  }

  async removeOther(fileId: string, version: number): Promise<void> {
    await this.#storage.run(
      this.#builder
        .deleteFrom('file_text')
        .where('file_id', '=', fileId)
        .where('version', '!=', version),
    )
  }
}
