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
  /** Programs on the gateway's computer that could be connected; null until they were looked for. */
  readonly local: readonly LocalRuntime[] | null
  /**
   * What was typed and not saved, by the id of the connection or of the preset. It lasts as long as
   * the window.
   */
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

/** Keeps what was typed until it is saved or taken back (null). */
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

/** Looks for programs on the gateway's computer. Finding none is no failure to tell of. */
export async function findLocalRuntimes(store: ConnectionsStore): Promise<void> {
  const local = await call(endpoints.connections.local, {}).catch(() => [])
  store.setState({ local })
}

/** Connects a program that was found on the gateway's computer. */
export const connectLocal = (store: ConnectionsStore, runtime: LocalRuntime): Promise<void> =>
  saveConnection(store, fromLocalRuntime(runtime, startDraft(store.getState().items)), null)

const hostOf = (url: string): string | undefined => URL.parse(url)?.host

function put(store: ConnectionsStore, saved: Connection): void {
  store.put(saved)
  const { local } = store.getState()
  // What is connected by now is not offered again.
  store.setState({ local: local?.filter(({ url }) => hostOf(url) !== hostOf(saved.url)) ?? null })
}

/** Adds a connection, or changes the one named by `id`. */
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

/** Forgets what was changed here about a connection of the environment. */
export async function resetConnection(store: ConnectionsStore, id: string): Promise<void> {
  await call(endpoints.connections.remove, { params: { connection_id: id } })
  await store.load()
}

/** Tries a connection without saving it; `id` lends the stored key of an existing one. */
export const verifyConnection = (
  input: ConnectionInput,
  id: string | null,
  signal?: AbortSignal,
): Promise<ConnectionCheck> =>
  call(endpoints.connections.verify, { body: { ...input, ...(id !== null && { id }) } }, { signal })

/** What trying a form showed, and the address that answered where the typed one did not. */
export interface DraftCheck {
  readonly check: ConnectionCheck
  readonly url: string | null
}

/**
 * Tries what a form holds. An address without a path is tried with `/v1` as well, where most
 * providers are.
 */
export async function tryDraft(draft: ConnectionDraft, id: string | null): Promise<DraftCheck> {
  const input = fromDraft(draft)
  const check = await verifyConnection(input, id)
  if (check.ok || input.kind === 'runtime' || !isHostAlone(input.url)) return { check, url: null }
  const url = `${input.url}/v1`
  const second = await verifyConnection({ ...input, url }, id)
  return second.ok ? { check: second, url } : { check, url: null }
}

/** The whole row as it would be sent to change it. */
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

/** A runtime that was found by itself, or comes along, has nothing to change. */
export const isEditable = ({ origin }: Connection): boolean =>
  origin !== 'found' && origin !== 'built-in'

/** Whether a connection can be removed here, or what was changed about it. */
export const isRemovable = ({ origin, overridden }: Connection): boolean =>
  origin === 'stored' || overridden.length > 0
