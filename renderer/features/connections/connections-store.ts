import { CONNECTION_KINDS } from '#contract/connection-kinds.ts'
import type {
  Connection,
  ConnectionCheck,
  ConnectionInput,
  LocalRuntime,
} from '#contract/connections.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import {
  fromDraft,
  fromLocalRuntime,
  startDraft,
  type ConnectionDraft,
} from './connection-draft.ts'
import { isHostAlone } from './read-address.ts'

interface ConnectionsExtra {
  /** Runtimes on the gateway's computer that could be connected; null until searched for. */
  readonly local: readonly LocalRuntime[] | null
  /** Unsaved drafts, by the id of the connection or preset. Kept until the window is closed. */
  readonly drafts: ReadonlyMap<string, ConnectionDraft>
}

export type ConnectionsStore = ListStore<Connection, ConnectionsExtra>

export const createConnectionsStore = (): ConnectionsStore =>
  new ListStore<Connection, ConnectionsExtra>({
    read: async ({ signal }) => ({
      items: await call(endpoints.connections.list, {}, { signal }),
    }),
    extra: { local: null, drafts: new Map() },
    keyOf: ({ id }) => id,
  })

/** Stores a draft until it is saved or discarded (null). */
export function keepDraft(
  store: ConnectionsStore,
  key: string,
  draft: ConnectionDraft | null,
): void {
  const drafts = new Map(store.getState().drafts)
  if (draft) drafts.set(key, draft)
  else drafts.delete(key)
  store.setState({ drafts })
}

/** Searches for runtimes on the gateway's computer. A failure is not reported. */
export async function findLocalRuntimes(store: ConnectionsStore): Promise<void> {
  const local = await call(endpoints.connections.local, {}).catch(() => [])
  store.setState({ local })
}

/** Connects a runtime found on the gateway's computer. */
export const connectLocal = (store: ConnectionsStore, runtime: LocalRuntime): Promise<void> =>
  saveConnection(store, fromLocalRuntime(runtime, startDraft(store.getState().items)), null)

const hostOf = (url: string): string | undefined => URL.parse(url)?.host

function put(store: ConnectionsStore, saved: Connection): void {
  store.put(saved)
  const { local } = store.getState()
  // Connected runtimes are no longer offered.
  store.setState({ local: local?.filter(({ url }) => hostOf(url) !== hostOf(saved.url)) ?? null })
}

/** Adds a connection, or updates the one with the given `id`. */
export async function saveConnection(
  store: ConnectionsStore,
  input: ConnectionInput,
  id: string | null,
): Promise<void> {
  put(
    store,
    id === null
      ? await call(endpoints.connections.create, { body: input })
      : await call(endpoints.connections.update, { params: { connection_id: id }, body: input }),
  )
}

export async function removeConnection(store: ConnectionsStore, id: string): Promise<void> {
  await call(endpoints.connections.remove, { params: { connection_id: id } })
  store.drop(id)
}

/** Discards local changes to a connection defined by the environment. */
export async function resetConnection(store: ConnectionsStore, id: string): Promise<void> {
  await call(endpoints.connections.remove, { params: { connection_id: id } })
  await store.load()
}

/** Tests a connection without saving it; with `id`, the stored key of that connection is used. */
export const verifyConnection = (
  input: ConnectionInput,
  id: string | null,
  signal?: AbortSignal,
): Promise<ConnectionCheck> =>
  call(endpoints.connections.verify, { body: { ...input, ...(id !== null && { id }) } }, { signal })

/** Result of testing a draft, and the URL that responded if it differs from the typed one. */
export interface DraftCheck {
  readonly check: ConnectionCheck
  readonly url: string | null
}

/** Tests a draft. A URL without a path is also tried with `/v1`, which most providers use. */
export async function tryDraft(draft: ConnectionDraft, id: string | null): Promise<DraftCheck> {
  const input = fromDraft(draft)
  const check = await verifyConnection(input, id)
  const { isRuntime } = CONNECTION_KINDS[input.kind]
  if (check.ok || isRuntime || !isHostAlone(input.url)) return { check, url: null }
  const url = `${input.url}/v1`
  const second = await verifyConnection({ ...input, url }, id)
  return second.ok ? { check: second, url } : { check, url: null }
}

/** Returns the complete connection in the form of an update request. */
export const toInput = (connection: Connection): ConnectionInput => ({
  kind: connection.kind,
  name: connection.name,
  url: connection.url,
  enabled: connection.enabled,
  prefix_id: connection.prefix_id,
  model_ids: connection.model_ids,
  headers: connection.headers,
  timeout_seconds: connection.timeout_seconds,
  access: connection.access,
  use_proxy: connection.use_proxy,
  trusted_certificate: connection.trusted_certificate,
})

/** False for a runtime that was found automatically or is built in. */
export const isEditable = ({ origin }: Connection): boolean =>
  origin !== 'found' && origin !== 'built-in'

/** True if the server refused the key at the last contact. */
export const isKeyRefused = ({ state }: Connection): boolean =>
  state.status === 'failed' && state.code === 'upstream_refused_key'

/** True if a connection, or the local changes to it, can be removed. */
export const isRemovable = ({ origin, overridden }: Connection): boolean =>
  origin === 'stored' || overridden.length > 0
