import type { Storage } from '../storage/index.ts'

/** Counts of the documents that can be found. */
export interface IndexCounts {
  readonly total: number
  /** Those with vectors of the given engine. */
  readonly current: number
  readonly chunks: number
}

/** What the main thread reads and writes of the index: short statements only. */
export class RetrievalStore {
  readonly #storage: Storage
  readonly #builder
  readonly #ready

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
    this.#ready = this.#builder.selectFrom('retrieval_document').where('state', '=', 'ready')
  }

  /** Puts a complete version in the place of the one before it. */
  putInPlace(documentId: string, seq: number): void {
    this.#storage.transaction(() => {
      const gone = this.#builder.updateTable('retrieval_document').set({ state: 'gone' })
      this.#storage.run(gone.where('id', '=', documentId).where('state', '=', 'ready'))
      this.#storage.run(
        this.#builder
          .updateTable('retrieval_document')
          .set({ state: 'ready' })
          .where('seq', '=', seq),
      )
    })
  }

  /** Calls a document something else, and the version of it that is being made. */
  rename(documentId: string, name: string): void {
    const renamed = this.#builder
      .updateTable('retrieval_document')
      .set({ name })
      .where('id', '=', documentId)
    this.#storage.run(renamed.where('state', '<>', 'gone'))
  }

  /** Takes documents away: nobody finds them any more. */
  hide(documentIds: readonly string[]): void {
    const gone = this.#builder.updateTable('retrieval_document').set({ state: 'gone' })
    this.#storage.transaction(() => {
      for (const id of documentIds) {
        this.#storage.run(gone.where('id', '=', id).where('state', '=', 'ready'))
        this.#storage.run(
          this.#builder.deleteFrom('retrieval_member').where('document_id', '=', id),
        )
      }
    })
  }

  /** Whether versions lie about that nobody needs. */
  hasLeftovers(): boolean {
    return (
      this.#storage.get(
        this.#builder
          .selectFrom('retrieval_document')
          .select('seq')
          .where('state', '<>', 'ready')
          .limit(1),
      ) !== undefined
    )
  }

  /** Documents whose vectors are of another engine than this. */
  stale(engine: string): string[] {
    return this.#storage
      .all(this.#ready.select('id').where('engine', '<>', engine).orderBy('seq'))
      .map(({ id }) => id)
  }

  all(): string[] {
    return this.#storage.all(this.#ready.select('id').orderBy('seq')).map(({ id }) => id)
  }

  counts(engine: string): IndexCounts {
    const row = this.#storage.get(
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

  addMember(collection: string, documentId: string): void {
    const row = { collection, document_id: documentId }
    this.#storage.run(
      this.#builder
        .insertInto('retrieval_member')
        .values(row)
        .onConflict((conflict) => conflict.doNothing()),
    )
  }

  removeMember(collection: string, documentId: string): void {
    this.#storage.run(
      this.#builder
        .deleteFrom('retrieval_member')
        .where('collection', '=', collection)
        .where('document_id', '=', documentId),
    )
  }

  members(collection: string): string[] {
    const query = this.#builder
      .selectFrom('retrieval_member')
      .select('document_id')
      .where('collection', '=', collection)
    return this.#storage.all(query).map(({ document_id }) => document_id)
  }

  clearMembers(collection: string): void {
    this.#storage.run(
      this.#builder.deleteFrom('retrieval_member').where('collection', '=', collection),
    )
  }
}
