import type { KnowledgeInput, KnowledgeRecord } from '#contract/knowledge.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'

/** Which collections are listed: all, one's own, or those of others. */
export type KnowledgeView = '' | 'created' | 'shared'

/** What the list is narrowed to. */
export interface KnowledgeFilter {
  readonly query: string
  readonly view: KnowledgeView
}

export type KnowledgeStore = ListStore<KnowledgeRecord, KnowledgeFilter>

/** The gateway's own page size. */
const COLLECTIONS_PER_PAGE = 30

/** Collections the person may use, by pages. */
export const createKnowledgeStore = (): KnowledgeStore =>
  new ListStore<KnowledgeRecord, KnowledgeFilter>({
    read: ({ state: { query, view }, page, signal }) =>
      call(
        endpoints.knowledge.list,
        { query: { query: query.trim() || undefined, view_option: view, page } },
        { signal },
      ),
    extra: { query: '', view: '' },
    keyOf: ({ id }) => id,
    pageSize: COLLECTIONS_PER_PAGE,
  })

export const createCollection = (input: KnowledgeInput): Promise<KnowledgeRecord> =>
  call(endpoints.knowledge.create, { body: input })

/**
 * Deletes a collection; with `deletesFiles` also the person's own files that no other collection
 * has.
 */
export async function removeCollection(
  store: KnowledgeStore,
  id: string,
  deletesFiles: boolean,
): Promise<void> {
  await call(endpoints.knowledge.remove, {
    params: { knowledge_id: id },
    query: { delete_files: deletesFiles },
  })
  store.drop(id)
}
