import type { Storage } from '../storage/index.ts'

/** Counts of the documents that can be found. */
export interface IndexCounts {
  readonly total: number
  /** Those with vectors of the given engine. */
  readonly current: number
  readonly chunks: number
}

/** What the main thread reads and writes of the index: short statements only. */
export interface RetrievalStore {
  /** Puts a complete version in the place of the one before it. */
  putInPlace(documentId: string, seq: number): void
  /** Calls a document something else, and the version of it that is being made. */
  rename(documentId: string, name: string): void
  /** Takes documents away: nobody finds them any more. */
  hide(documentIds: readonly string[]): void
  /** Whether versions lie about that nobody needs. */
  hasLeftovers(): boolean
  /** Documents whose vectors are of another engine than this. */
  stale(engine: string): string[]
  all(): string[]
  counts(engine: string): IndexCounts
  addMember(collection: string, documentId: string): void
  removeMember(collection: string, documentId: string): void
  members(collection: string): string[]
  clearMembers(collection: string): void
}

export function createRetrievalStore(storage: Storage): RetrievalStore {
  const { builder } = storage
  const ready = builder.selectFrom('retrieval_document').where('state', '=', 'ready')
  return {
    putInPlace(documentId, seq) {
      storage.transaction(() => {
        const gone = builder.updateTable('retrieval_document').set({ state: 'gone' })
        storage.run(gone.where('id', '=', documentId).where('state', '=', 'ready'))
        storage.run(
          builder.updateTable('retrieval_document').set({ state: 'ready' }).where('seq', '=', seq),
        )
      })
    },
    rename(documentId, name) {
      const renamed = builder
        .updateTable('retrieval_document')
        .set({ name })
        .where('id', '=', documentId)
      storage.run(renamed.where('state', '<>', 'gone'))
    },
    hide(documentIds) {
      const gone = builder.updateTable('retrieval_document').set({ state: 'gone' })
      storage.transaction(() => {
        for (const id of documentIds) {
          storage.run(gone.where('id', '=', id).where('state', '=', 'ready'))
          storage.run(builder.deleteFrom('retrieval_member').where('document_id', '=', id))
        }
      })
    },
    hasLeftovers: () =>
      storage.get(
        builder
          .selectFrom('retrieval_document')
          .select('seq')
          .where('state', '<>', 'ready')
          .limit(1),
      ) !== undefined,
    stale: (engine) =>
      storage
        .all(ready.select('id').where('engine', '<>', engine).orderBy('seq'))
        .map(({ id }) => id),
    all: () => storage.all(ready.select('id').orderBy('seq')).map(({ id }) => id),
    counts(engine) {
      const row = storage.get(
        ready.select(({ fn, eb }) => [
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
    },
    addMember(collection, documentId) {
      const row = { collection, document_id: documentId }
      storage.run(
        builder
          .insertInto('retrieval_member')
          .values(row)
          .onConflict((conflict) => conflict.doNothing()),
      )
    },
    removeMember(collection, documentId) {
      storage.run(
        builder
          .deleteFrom('retrieval_member')
          .where('collection', '=', collection)
          .where('document_id', '=', documentId),
      )
    },
    members(collection) {
      const query = builder
        .selectFrom('retrieval_member')
        .select('document_id')
        .where('collection', '=', collection)
      return storage.all(query).map(({ document_id }) => document_id)
    },
    clearMembers: (collection) =>
      void storage.run(builder.deleteFrom('retrieval_member').where('collection', '=', collection)),
  }
}
