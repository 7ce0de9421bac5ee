import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Connection, ConnectionCheck, ConnectionInput } from '#contract/connections.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface ConnectionsState {
  readonly connections: readonly Connection[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type ConnectionsStore = StoreApi<ConnectionsState>

export const createConnectionsStore = (): ConnectionsStore =>
  createStore<ConnectionsState>(() => ({ connections: [], status: 'loading', problem: null }))

export async function loadConnections(store: ConnectionsStore): Promise<void> {
  try {
    store.setState({
      connections: await call(endpoints.connections.list, {}),
      status: 'ready',
      problem: null,
    })
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

const put = (store: ConnectionsStore, saved: Connection): void =>
  store.setState(({ connections }) => ({
    connections: connections.some((each) => each.id === saved.id)
      ? connections.map((each) => (each.id === saved.id ? saved : each))
      : [...connections, saved],
  }))

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
  store.setState(({ connections }) => ({
    connections: connections.filter((each) => each.id !== id),
  }))
}

/** Forgets what was changed here about a connection of the environment. */
export async function resetConnection(store: ConnectionsStore, id: string): Promise<void> {
  await call(endpoints.connections.remove, { params: { connection_id: id } })
  await loadConnections(store)
}

/** Tries a connection without saving it; `id` lends the stored key of an existing one. */
export const verifyConnection = (
  input: ConnectionInput,
  id: string | null,
  signal?: AbortSignal,
): Promise<ConnectionCheck> =>
  call(endpoints.connections.verify, { body: { ...input, ...(id !== null && { id }) } }, { signal })

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
})

/** A runtime that was found by itself has nothing to change. */
export const isEditable = ({ origin }: Connection): boolean => origin !== 'found'

/** Whether a connection can be removed here, or what was changed about it. */
export const isRemovable = ({ origin, overridden }: Connection): boolean =>
  origin === 'stored' || overridden.length > 0
