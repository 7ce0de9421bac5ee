import type { Storage } from '../storage/index.ts'
import type { KnowledgeDirectoryTable } from '../storage/tables/knowledge.ts'
import { among } from './store.ts'

export type DirectoryRow = KnowledgeDirectoryTable

/** SQL on the directories of collections. */
export class DirectoryStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  directories(knowledgeId: string): DirectoryRow[] {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('knowledge_directory')
        .selectAll()
        .where('knowledge_id', '=', knowledgeId)
        .orderBy('name'),
    )
  }

  directory(knowledgeId: string, id: string): DirectoryRow | null {
    return (
      this.#storage.get(
        this.#storage.builder
          .selectFrom('knowledge_directory')
          .selectAll()
          .where('knowledge_id', '=', knowledgeId)
          .where('id', '=', id),
      ) ?? null
    )
  }

  insertDirectory(row: DirectoryRow): void {
    this.#storage.run(this.#storage.builder.insertInto('knowledge_directory').values(row))
  }

  updateDirectory(id: string, changes: Partial<Omit<DirectoryRow, 'id' | 'knowledge_id'>>): void {
    this.#storage.run(
      this.#storage.builder.updateTable('knowledge_directory').set(changes).where('id', '=', id),
    )
  }

  moveFilesOf(directoryIds: readonly string[], target: string | null): void {
    this.#storage.run(
      this.#storage.builder
        .updateTable('knowledge_file')
        .set({ directory_id: target })
        .where('directory_id', 'in', among(directoryIds)),
    )
  }

  /** Removes the directories inside too. */
  removeDirectory(id: string): void {
    this.#storage.run(this.#storage.builder.deleteFrom('knowledge_directory').where('id', '=', id))
  }

  removeDirectories(knowledgeId: string): void {
    this.#storage.run(
      this.#storage.builder
        .deleteFrom('knowledge_directory')
        .where('knowledge_id', '=', knowledgeId),
    )
  }
}
