import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  OutgoingConnection,
  OutgoingFilter,
  OutgoingHost,
  OutgoingStatus,
} from '#contract/outgoing-connections.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface OutgoingState {
  readonly summary: OutgoingStatus | null
  readonly view: 'hosts' | 'connections'
  readonly hosts: readonly OutgoingHost[]
  readonly connections: readonly OutgoingConnection[]
  /** Total number of entries that match the filter. */
  readonly total: number
  readonly filter: OutgoingFilter
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type OutgoingStore = StoreApi<OutgoingState>

export const createOutgoingStore = (): OutgoingStore =>
  createStore<OutgoingState>(() => ({
    summary: null,
    view: 'hosts',
    hosts: [],
    connections: [],
    total: 0,
    filter: {},
    status: 'loading',
    problem: null,
  }))

const PAGE = 50
const MOST_SHOWN = 500
const LOOK_MILLISECONDS = 5000

/** Reloads as many entries as are shown; on failure the previous ones are kept. */
export async function loadOutgoing(store: OutgoingStore, signal?: AbortSignal): Promise<void> {
  const { filter, view, connections } = store.getState()
  const limit = Math.min(MOST_SHOWN, Math.max(PAGE, connections.length))
  const options = signal ? { signal } : {}
  try {
    const summary = await call(endpoints.outgoing.status, {}, options)
    if (view === 'hosts') {
      const hosts = await call(endpoints.outgoing.hosts, { query: filter }, options)
      store.setState({ summary, hosts, status: 'ready', problem: null })
      return
    }
    const { items, total } = await call(
      endpoints.outgoing.list,
      { query: { ...filter, page: 1, limit } },
      options,
    )
    store.setState({ summary, connections: items, total, status: 'ready', problem: null })
  } catch (thrown) {
    if (isAborted(thrown)) return
    const status = store.getState().summary ? 'ready' : 'failed'
    store.setState({ problem: toSentence(thrown), status })
  }
}

/** Loads another page of individual connections. */
export async function loadMore(store: OutgoingStore): Promise<void> {
  const { filter, connections } = store.getState()
  const page = Math.floor(connections.length / PAGE) + 1
  const { items, total } = await call(endpoints.outgoing.list, {
    query: { ...filter, page, limit: PAGE },
  })
  const known = new Set(connections.map(({ id }) => id))
  const further = items.filter(({ id }) => !known.has(id))
  store.setState({ connections: [...connections, ...further], total })
}

export const hasMore = ({ connections, total }: OutgoingState): boolean =>
  connections.length < Math.min(total, MOST_SHOWN)

/** Keeps the page up to date while visible. */
export function followOutgoing(store: OutgoingStore): () => void {
  const abort = new AbortController()
  void loadOutgoing(store, abort.signal)
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void loadOutgoing(store, abort.signal)
  }, LOOK_MILLISECONDS)
  return () => {
    clearInterval(timer)
    abort.abort()
  }
}

export async function clearOutgoing(store: OutgoingStore): Promise<void> {
  await call(endpoints.outgoing.clear, {})
  store.setState({ connections: [], hosts: [] })
  await loadOutgoing(store)
}

/** How far the gateway reaches; offline, it only calls nearby hosts. */
export type Reach = 'open' | 'offline' | 'sealed'

export const reachOf = ({ sealed, offline }: OutgoingStatus): Reach =>
  sealed ? 'sealed' : offline ? 'offline' : 'open'

/**
 * Stores the choice in its two settings. A setting that stays is not sent, as the environment may
 * have locked it.
 */
export async function chooseReach(store: OutgoingStore, reach: Reach): Promise<void> {
  const { summary } = store.getState()
  const [isSealed, isOffline] = [reach === 'sealed', reach === 'offline']
  const values: Record<string, boolean> = {}
  if (summary?.sealed !== isSealed) values['SEALED_MODE'] = isSealed
  if (!isSealed && summary?.offline !== isOffline) values['OFFLINE_MODE'] = isOffline
  await call(endpoints.settings.update, { body: { values } })
  await loadOutgoing(store)
}
