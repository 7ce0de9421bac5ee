import { sql } from 'kysely'
import { among } from '../storage/among.ts'
import type { Storage } from '../storage/index.ts'
import type { KnowledgeFileTable } from '../storage/tables/knowledge.ts'

export type LinkRow = KnowledgeFileTable

export interface FileFilter {
  readonly text: string
  /** Files of this user, or of all other users. */
  readonly owner: { readonly userId: string; readonly isOwn: boolean } | null
  /** Empty for the top level; null for all directories. */
  readonly directoryId: string | null
  readonly pendingOnly: boolean
}

export interface FileOrder {
  readonly by: 'name' | 'created_at' | 'updated_at'
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** A file of a collection, for comparison with an external folder. */
interface SyncRow {
  readonly file_id: string
  readonly directory_id: string | null
  readonly filename: string
  readonly hash: string
}

/**
 * SQL on the membership of files in collections.
 *
 * @NOTE It also reads names, states and hashes of files, because querying them one by one would
 *   take long in large collections. Only `files` writes them.
 */
export class LinkStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  links(knowledgeId: string): Promise<LinkRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('knowledge_file')
        .selectAll()
        .where('knowledge_id', '=', knowledgeId)
        .orderBy('created_at')
        .orderBy('file_id'),
    )
  }

  link(knowledgeId: string, fileId: string): Promise<LinkRow | null> {
    return this.#storage.find('knowledge_file', { knowledge_id: knowledgeId, file_id: fileId })
  }

  linksOfFile(fileId: string): Promise<{ id: string; user_id: string; name: string }[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('knowledge_file as link')
        .innerJoin('knowledge', 'knowledge.id', 'link.knowledge_id')
        .select(['knowledge.id', 'knowledge.user_id', 'knowledge.name'])
        .where('link.file_id', '=', fileId),
    )
  }

  allLinks(): Promise<{ knowledge_id: string; file_id: string }[]> {
    return this.#storage.all(
      this.#storage.builder.selectFrom('knowledge_file').select(['knowledge_id', 'file_id']),
    )
  }

  async insertLink(row: LinkRow): Promise<void> {
    await this.#storage.insert('knowledge_file', row)
  }

  async moveLink(knowledgeId: string, fileId: string, directoryId: string | null): Promise<void> {
    const query = this.#storage.builder
      .updateTable('knowledge_file')
      .set({ directory_id: directoryId })
    await this.#storage.run(
      query.where('knowledge_id', '=', knowledgeId).where('file_id', '=', fileId),
    )
  }

  async removeLink(knowledgeId: string, fileId: string): Promise<void> {
    await this.#storage.remove('knowledge_file', { knowledge_id: knowledgeId, file_id: fileId })
  }

  async removeLinks(knowledgeId: string): Promise<void> {
    await this.#storage.remove('knowledge_file', { knowledge_id: knowledgeId })
  }

  /** Returns the file of a collection with these bytes. */
  async fileWithHash(knowledgeId: string, hash: string): Promise<string | null> {
    return (
      (
        await this.#storage.get(
          this.#storage.builder
            .selectFrom('knowledge_file as link')
            .innerJoin('file', 'file.id', 'link.file_id')
            .innerJoin('blob', 'blob.id', 'file.blob_id')
            .select('file.id')
            .where('link.knowledge_id', '=', knowledgeId)
            .where('blob.hash', '=', hash)
            .limit(1),
        )
      )?.id ?? null
    )
  }

  pageFiles(
    ids: readonly string[],
    filter: FileFilter,
    { by, direction, offset, limit }: FileOrder,
  ): Promise<LinkRow[]> {
    return this.#storage.all(
      this.#selectFiles(ids, filter)
        .selectAll('link')
        .orderBy(
          by === 'name'
            ? 'file.name_key'
            : by === 'created_at'
              ? 'link.created_at'
              : 'file.updated_at',
          direction,
        )
        .orderBy('link.file_id')
        .limit(limit)
        .offset(offset),
    )
  }

  countFiles(ids: readonly string[], filter: FileFilter): Promise<number> {
    return this.#storage.count(this.#selectFiles(ids, filter))
  }

  syncRows(knowledgeId: string): Promise<SyncRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('knowledge_file as link')
        .innerJoin('file', 'file.id', 'link.file_id')
        .innerJoin('blob', 'blob.id', 'file.blob_id')
        .select(['link.file_id', 'link.directory_id', 'file.filename', 'blob.hash'])
        .where('link.knowledge_id', '=', knowledgeId),
    )
  }

  #selectFiles(
    knowledgeIds: readonly string[],
    { text, owner, directoryId, pendingOnly }: FileFilter,
  ) {
    let query = this.#storage.builder
      .selectFrom('knowledge_file as link')
      .innerJoin('file', 'file.id', 'link.file_id')
      .where('link.knowledge_id', 'in', among(knowledgeIds))
    if (text !== '') query = query.where(sql<number>`instr(file.name_key, ${text})`, '>', 0)
    if (owner) query = query.where('file.user_id', owner.isOwn ? '=' : '!=', owner.userId)
    if (directoryId !== null) {
      query =
        directoryId === ''
          ? query.where('link.directory_id', 'is', null)
          : query.where('link.directory_id', '=', directoryId)
    }
    if (pendingOnly) query = query.where('file.status', '=', 'pending')
    return query
  }
}
