import type { Storage } from '../storage/index.ts'
import type { KnowledgeDirectoryTable } from '../storage/tables/knowledge.ts'
import { among } from '../storage/among.ts'

export type DirectoryRow = KnowledgeDirectoryTable

/** SQL on the directories of collections. */
export class DirectoryStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  directories(knowledgeId: string): Promise<DirectoryRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('knowledge_directory')
        .selectAll()
        .where('knowledge_id', '=', knowledgeId)
        .orderBy('name'),
    )
  }

  directory(knowledgeId: string, id: string): Promise<DirectoryRow | null> {
    return this.#storage.find('knowledge_directory', { knowledge_id: knowledgeId, id })
  }

  async insertDirectory(row: DirectoryRow): Promise<void> {
    await this.#storage.insert('knowledge_directory', row)
  }

  async updateDirectory(
    id: string,
    changes: Partial<Omit<DirectoryRow, 'id' | 'knowledge_id'>>,
  ): Promise<void> {
    await this.#storage.update('knowledge_directory', id, changes)
  }

  async moveFilesOf(directoryIds: readonly string[], target: string | null): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .updateTable('knowledge_file')
        .set({ directory_id: target })
        .where('directory_id', 'in', among(directoryIds)),
    )
  }

  /** Also removes nested directories. */
  async removeDirectory(id: string): Promise<void> {
    await this.#storage.remove('knowledge_directory', id)
  }

  async removeDirectories(knowledgeId: string): Promise<void> {
    await this.#storage.remove('knowledge_directory', { knowledge_id: knowledgeId })
  }
}
