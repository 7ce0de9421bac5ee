import type { KnowledgeInput, KnowledgeRecord } from '#contract/knowledge.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'

/** Filter by owner: all collections, the user's own, or those of others. */
export type KnowledgeView = '' | 'created' | 'shared'

/** Filter of the list. */
export interface KnowledgeFilter {
  readonly query: string
  readonly view: KnowledgeView
}

export type KnowledgeStore = ListStore<KnowledgeRecord, KnowledgeFilter>

/** Page size of the gateway. */
const COLLECTIONS_PER_PAGE = 30

/** Creates the paginated store of the collections available to the user. */
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
 * Deletes a collection; with `deletesFiles` also the user's own files that are in no other
 * collection.
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
