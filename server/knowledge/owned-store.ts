import type { Storage } from '../storage/index.ts'
import type { RetrievalCollectionTable } from '../storage/tables/knowledge.ts'

export type OwnedCollectionRow = RetrievalCollectionTable
export type OwnedCollectionStore = ReturnType<typeof createOwnedCollectionStore>

/** SQL on the collections of pages and texts. */
export function createOwnedCollectionStore(storage: Storage) {
  const { builder } = storage
  const table = 'retrieval_collection'
  return {
    find: (userId: string, name: string): OwnedCollectionRow | null =>
      storage.get(
        builder
          .selectFrom(table)
          .selectAll()
          .where('user_id', '=', userId)
          .where('name', '=', name),
      ) ?? null,
    isTaken: (name: string): boolean =>
      storage.get(builder.selectFrom(table).select('id').where('name', '=', name).limit(1)) !==
      undefined,
    insert: (row: OwnedCollectionRow): void =>
      void storage.run(builder.insertInto(table).values(row)),
    touch: (id: string, time: number): void => {
      storage.run(builder.updateTable(table).set({ updated_at: time }).where('id', '=', id))
    },
    remove: (id: string): void => void storage.run(builder.deleteFrom(table).where('id', '=', id)),
    all: (): OwnedCollectionRow[] => storage.all(builder.selectFrom(table).selectAll()),
    /** Those whose owner has no account any more. */
    orphans: (): OwnedCollectionRow[] =>
      storage.all(
        builder
          .selectFrom(table)
          .selectAll()
          .where(
            'user_id',
            'not in',
            builder.selectFrom('user').select('id').where('deleted_at', 'is', null),
          ),
      ),
  }
}
