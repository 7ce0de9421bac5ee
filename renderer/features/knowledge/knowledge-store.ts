import { createStore, type StoreApi } from 'zustand/vanilla'
import type { KnowledgeInput, KnowledgeRecord } from '#contract/knowledge.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

/** Which collections are listed: all, one's own, or those of others. */
export type KnowledgeView = '' | 'created' | 'shared'

export interface KnowledgeState {
  readonly collections: readonly KnowledgeRecord[]
  readonly total: number
  readonly page: number
  readonly query: string
  readonly view: KnowledgeView
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type KnowledgeStore = StoreApi<KnowledgeState>

export const createKnowledgeStore = (): KnowledgeStore =>
  createStore<KnowledgeState>(() => ({
    collections: [],
    total: 0,
    page: 0,
    query: '',
    view: '',
    status: 'loading',
    problem: null,
  }))

/** The gateway's own page size. */
const COLLECTIONS_PER_PAGE = 30

const aborts = new WeakMap<KnowledgeStore, AbortController>()

async function readPage(store: KnowledgeStore, page: number): Promise<void> {
  aborts.get(store)?.abort()
  const abort = new AbortController()
  aborts.set(store, abort)
  const { query, view } = store.getState()
  const asked = { query: query.trim() || undefined, view_option: view, page }
  try {
    const { items, total } = await call(
      endpoints.knowledge.list,
      { query: asked },
      { signal: abort.signal },
    )
    store.setState(({ collections }) => ({
      collections:
        page === 1
          ? items
          : [
              ...collections,
              ...items.filter(({ id }) => !collections.some((each) => each.id === id)),
            ],
      total,
      page,
      status: 'ready',
      problem: null,
    }))
  } catch (thrown) {
    if (!isAborted(thrown)) store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Fetches the collections that fit, from the first page on. */
export async function loadKnowledge(
  store: KnowledgeStore,
  query: string,
  view: KnowledgeView,
): Promise<void> {
  store.setState({ query, view })
  await readPage(store, 1)
}

/**
 * Reads on behind the collections that are listed: those of the next page moved up by as many as
 * were deleted here.
 */
export const loadMoreKnowledge = (store: KnowledgeStore): Promise<void> =>
  readPage(store, Math.floor(store.getState().collections.length / COLLECTIONS_PER_PAGE) + 1)

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
  store.setState(({ collections, total }) => ({
    collections: collections.filter((each) => each.id !== id),
    total: total - 1,
  }))
}
