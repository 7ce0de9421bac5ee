import { sql } from 'kysely'
import { among } from '../storage/among.ts'
import type { Storage } from '../storage/index.ts'
import { selectShared, type SharedFilter } from '../storage/select-shared.ts'
import type { KnowledgeTable } from '../storage/tables/knowledge.ts'

export type KnowledgeRow = KnowledgeTable

/** Criteria for listing collections. Null omits a criterion. */
export interface KnowledgeFilter extends SharedFilter {
  /** Must occur in the name or description, ignoring case. */
  readonly text: string
}

/** Numbers of files of a collection by state. */
export interface FileStates {
  readonly count: number
  readonly pending: number
  readonly failed: number
}

const NO_FILES: FileStates = { count: 0, pending: 0, failed: 0 }

/** SQL on the collections themselves; also counts states of files, see `link-store.ts`. */
export class KnowledgeStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** All of them, not paged. */
  async ids(
    filter: KnowledgeFilter,
    page?: { readonly offset: number; readonly limit: number },
  ): Promise<string[]> {
    const all = this.#select(filter).select('id').orderBy('updated_at', 'desc').orderBy('id')
    const rows = await this.#storage.all(page ? all.limit(page.limit).offset(page.offset) : all)
    return rows.map(({ id }) => id)
  }

  count(filter: KnowledgeFilter): Promise<number> {
    return this.#storage.count(this.#select(filter))
  }

  get(id: string): Promise<KnowledgeRow | null> {
    return this.#storage.find('knowledge', id)
  }

  async insert(row: KnowledgeRow): Promise<void> {
    await this.#storage.insert('knowledge', row)
  }

  async update(id: string, changes: Partial<Omit<KnowledgeRow, 'id' | 'user_id'>>): Promise<void> {
    await this.#storage.update('knowledge', id, changes)
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('knowledge', id)
  }

  async states(ids: readonly string[]): Promise<Map<string, FileStates>> {
    const query = this.#storage.builder
      .selectFrom('knowledge_file as link')
      .innerJoin('file', 'file.id', 'link.file_id')
      .select((each) => [
        'link.knowledge_id as id',
        each.fn.countAll<number>().as('count'),
        sql<number>`sum(case when file.status = 'pending' then 1 else 0 end)`.as('pending'),
        sql<number>`sum(case when file.status = 'failed' then 1 else 0 end)`.as('failed'),
      ])
      .where('link.knowledge_id', 'in', among(ids))
      .groupBy('link.knowledge_id')
    const found = new Map((await this.#storage.all(query)).map(({ id, ...states }) => [id, states]))
    return new Map(ids.map((id) => [id, found.get(id) ?? NO_FILES]))
  }

  #select({ text, ...shared }: KnowledgeFilter) {
    let query = selectShared(this.#storage, 'knowledge', shared)
    if (text !== '') query = query.where(sql<number>`instr(search_key, ${text})`, '>', 0)
    return query
  }
}
