import type { Storage } from '../storage/index.ts'
import type { KnowledgeDirectoryTable } from '../storage/tables/knowledge.ts'
import { among } from './store.ts'

export type DirectoryRow = KnowledgeDirectoryTable
export type DirectoryStore = ReturnType<typeof createDirectoryStore>

/** SQL on the directories of collections. */
export function createDirectoryStore(storage: Storage) {
  const { builder } = storage
  return {
    directories: (knowledgeId: string): DirectoryRow[] =>
      storage.all(
        builder
          .selectFrom('knowledge_directory')
          .selectAll()
          .where('knowledge_id', '=', knowledgeId)
          .orderBy('name'),
      ),
    directory: (knowledgeId: string, id: string): DirectoryRow | null =>
      storage.get(
        builder
          .selectFrom('knowledge_directory')
          .selectAll()
          .where('knowledge_id', '=', knowledgeId)
          .where('id', '=', id),
      ) ?? null,
    insertDirectory: (row: DirectoryRow): void =>
      void storage.run(builder.insertInto('knowledge_directory').values(row)),
    updateDirectory: (
      id: string,
      changes: Partial<Omit<DirectoryRow, 'id' | 'knowledge_id'>>,
    ): void => {
      storage.run(builder.updateTable('knowledge_directory').set(changes).where('id', '=', id))
    },
    moveFilesOf: (directoryIds: readonly string[], target: string | null): void => {
      storage.run(
        builder
          .updateTable('knowledge_file')
          .set({ directory_id: target })
          .where('directory_id', 'in', among(directoryIds)),
      )
    },
    /** With those inside. */
    removeDirectory: (id: string): void =>
      void storage.run(builder.deleteFrom('knowledge_directory').where('id', '=', id)),
    removeDirectories: (knowledgeId: string): void => {
      storage.run(builder.deleteFrom('knowledge_directory').where('knowledge_id', '=', knowledgeId))
    },
  }
}
