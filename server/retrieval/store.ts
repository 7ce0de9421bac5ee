import type { Storage } from '../storage/index.ts'

/** Counts of the searchable documents. */
export interface IndexCounts {
  readonly total: number
  /** Number of documents with vectors of the given engine. */
  readonly current: number
  readonly chunks: number
}

/** Index statements of the main thread: short ones only. */
export class RetrievalStore {
  readonly #storage: Storage
  readonly #builder
  readonly #ready

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
    this.#ready = this.#builder.selectFrom('retrieval_document').where('state', '=', 'ready')
  }

  /** Replaces the current version by a complete one. */
  async putInPlace(documentId: string, seq: number): Promise<void> {
    await this.#storage.transaction(async () => {
      const gone = this.#builder.updateTable('retrieval_document').set({ state: 'gone' })
      await this.#storage.run(gone.where('id', '=', documentId).where('state', '=', 'ready'))
      const ready = this.#builder.updateTable('retrieval_document').set({ state: 'ready' })
      // Otherwise the previous version would be removed without a replacement, or replaced by one
      // whose passages are being removed.
      const isBuilt = ready.where('seq', '=', seq).where('state', '=', 'building')
      if ((await this.#storage.run(isBuilt)) !== 1)
        throw new Error('The new version of the document no longer exists.')
    })
  }

  /** Renames a document and the version of it that is being built. */
  async rename(documentId: string, name: string): Promise<void> {
    const renamed = this.#builder
      .updateTable('retrieval_document')
      .set({ name })
      .where('id', '=', documentId)
    await this.#storage.run(renamed.where('state', '<>', 'gone'))
  }

  /** Hides documents, so that they are no longer found. */
  async hide(documentIds: readonly string[]): Promise<void> {
    const gone = this.#builder.updateTable('retrieval_document').set({ state: 'gone' })
    await this.#storage.transaction(async () => {
      for (const id of documentIds) {
        await this.#storage.run(gone.where('id', '=', id).where('state', '=', 'ready'))
        await this.#storage.remove('retrieval_member', { document_id: id })
      }
    })
  }

  /** Resolves with true if there are unneeded versions. */
  async hasLeftovers(): Promise<boolean> {
    return (
      (await this.#storage.get(
        this.#builder
          .selectFrom('retrieval_document')
          .select('seq')
          .where('state', '<>', 'ready')
          .limit(1),
      )) !== undefined
    )
  }

  /** Returns the documents whose vectors belong to another engine. */
  async stale(engine: string): Promise<string[]> {
    return (
      await this.#storage.all(this.#ready.select('id').where('engine', '<>', engine).orderBy('seq'))
    ).map(({ id }) => id)
  }

  async all(): Promise<string[]> {
    return (await this.#storage.all(this.#ready.select('id').orderBy('seq'))).map(({ id }) => id)
  }

  async counts(engine: string): Promise<IndexCounts> {
    const row = await this.#storage.get(
      this.#ready.select(({ fn, eb }) => [
        fn.countAll<number>().as('total'),
        fn
          .coalesce(
            fn.sum<number>(eb.case().when('engine', '=', engine).then(1).else(0).end()),
            eb.lit(0),
          )
          .as('current'),
        fn.coalesce(fn.sum<number>('chunks'), eb.lit(0)).as('chunks'),
      ]),
    )
    return row ?? { total: 0, current: 0, chunks: 0 }
  }

  async addMember(collection: string, documentId: string): Promise<void> {
    const row = { collection, document_id: documentId }
    await this.#storage.run(
      this.#builder
        .insertInto('retrieval_member')
        .values(row)
        .onConflict((conflict) => conflict.doNothing()),
    )
  }

  async removeMember(collection: string, documentId: string): Promise<void> {
    await this.#storage.remove('retrieval_member', { collection, document_id: documentId })
  }

  async members(collection: string): Promise<string[]> {
    const query = this.#builder
      .selectFrom('retrieval_member')
      .select('document_id')
      .where('collection', '=', collection)
    return (await this.#storage.all(query)).map(({ document_id }) => document_id)
  }

  async clearMembers(collection: string): Promise<void> {
    await this.#storage.remove('retrieval_member', { collection })
  }
}
