import { createStore, type StoreApi } from 'zustand/vanilla'
import type { RequestFilter, RequestRecord } from '#contract/requests.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, callRaw, endpoints } from '../../api/client.ts'
import { readEvents } from '../../api/read-events.ts'

export interface RequestsState {
  /** Newest first. */
  readonly records: readonly RequestRecord[]
  readonly enabled: boolean
  /** True if the bodies of calls are stored too. */
  readonly bodies: boolean
  /** Number of calls the gateway keeps. */
  readonly size: number
  readonly filter: RequestFilter
  readonly isPaused: boolean
  /** True if new calls are added as they end. */
  readonly isLive: boolean
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type RequestsStore = StoreApi<RequestsState>

export const createRequestsStore = (): RequestsStore =>
  createStore<RequestsState>(() => ({
    records: [],
    enabled: true,
    bodies: false,
    size: 0,
    filter: { windows: 'hidden' },
    isPaused: false,
    isLive: false,
    status: 'loading',
    problem: null,
  }))

const MOST_SHOWN = 300
const RETRY_MILLISECONDS = 3000

/** Prepends new records, without duplicates. */
export function withRecord(
  records: readonly RequestRecord[],
  record: RequestRecord,
): readonly RequestRecord[] {
  return records.some(({ seq }) => seq === record.seq)
    ? records
    : [record, ...records].slice(0, MOST_SHOWN)
}

async function loadLog(store: RequestsStore, signal: AbortSignal): Promise<void> {
  const { items, enabled, bodies, size } = await call(
    endpoints.requests.list,
    { query: { ...store.getState().filter, limit: MOST_SHOWN } },
    { signal },
  )
  store.setState({ records: items, enabled, bodies, size, status: 'ready', problem: null })
}

async function hearCalls(store: RequestsStore, signal: AbortSignal): Promise<void> {
  const { filter, records } = store.getState()
  const response = await callRaw(
    endpoints.requests.stream,
    { query: { ...filter, after: records[0]?.seq } },
    { signal },
  )
  if (!response.body) return
  store.setState({ isLive: true })
  for await (const data of readEvents(response.body)) {
    const record = JSON.parse(data) as RequestRecord
    store.setState(({ records: before }) => ({ records: withRecord(before, record) }))
  }
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })

/**
 * Loads the calls that match the filter and, unless paused, follows new ones until the signal
 * aborts. Reconnects after a connection loss.
 */
export async function followLog(store: RequestsStore, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await loadLog(store, signal)
      const { enabled, isPaused } = store.getState()
      if (!enabled || isPaused) return
      await hearCalls(store, signal)
    } catch (thrown) {
      if (isAborted(thrown)) break
      store.setState({
        problem: toSentence(thrown),
        status: store.getState().records.length > 0 ? 'ready' : 'failed',
      })
    }
    store.setState({ isLive: false })
    await pause(RETRY_MILLISECONDS, signal)
  }
  store.setState({ isLive: false })
}

export async function clearLog(store: RequestsStore): Promise<void> {
  await call(endpoints.requests.clear, {})
  store.setState({ records: [] })
}

/** Enables or disables the log, or the storing of bodies. */
export async function switchLog(
  store: RequestsStore,
  change: { enabled?: boolean; bodies?: boolean },
): Promise<void> {
  const values = {
    ...(change.enabled !== undefined && { ENABLE_REQUEST_LOG: change.enabled }),
    ...(change.bodies !== undefined && { ENABLE_REQUEST_LOG_BODIES: change.bodies }),
  }
  await call(endpoints.settings.update, { body: { values } })
  store.setState(change)
}
