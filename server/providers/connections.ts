import type { Connection, ConnectionCheck, ConnectionInput } from '#contract/connections.ts'
import { notFound } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { parseAddress, toRecord, type ConnectionRecord } from './connection-record.ts'
import type { EnvironmentConnections } from './environment-connections.ts'
import type { ConnectionPolicy } from './live-connection.ts'
import type { ModelsStore } from './models-store.ts'
import type { Registry } from './registry.ts'
import type { ConnectionStore } from './store.ts'
import { verifyConnection } from './verify-connection.ts'

/** What an admin does with connections. */
export interface Connections {
  list(): Promise<Connection[]>
  create(input: ConnectionInput): Promise<Connection>
  /** Changes a connection; of one of the environment everything but kind and address. */
  update(id: string, input: ConnectionInput): Promise<Connection>
  /** Removes a connection; one of the environment goes back to what is said there. */
  remove(id: string): void
  verify(input: ConnectionInput & { id?: string }, signal: AbortSignal): Promise<ConnectionCheck>
  /** Puts stored and environment connections in use. */
  load(): void
}

export interface ConnectionsDependencies {
  readonly store: ConnectionStore
  readonly environment: EnvironmentConnections
  readonly registry: Registry
  readonly memory: Pick<ModelsStore, 'keepOnly'>
  readonly policy: ConnectionPolicy
}

const sameAddress = (left: string, right: string): boolean => parseAddress(left) === right

export function createConnections({
  store,
  environment,
  registry,
  memory,
  policy,
}: ConnectionsDependencies): Connections {
  /** A runtime found by itself steps back when an admin has added the same address. */
  function load(): void {
    const stored = store.list()
    const others = environment
      .list()
      .filter(
        ({ origin, url }) => origin !== 'found' || !stored.some((record) => record.url === url),
      )
    const records = [...stored, ...others]
    memory.keepOnly(records.map(({ id }) => id))
    registry.use(records)
  }

  const find = (id: string): ConnectionRecord | null =>
    store.get(id) ?? environment.list().find((record) => record.id === id) ?? null

  function requireKnown(id: string): ConnectionRecord {
    const known = find(id)
    if (!known) throw notFound('There is no such connection.')
    return known
  }

  async function describe(id: string): Promise<Connection> {
    const described = await registry.describeOne(id)
    if (!described) throw notFound('There is no such connection.')
    return described
  }

  return {
    load,
    list: () => registry.describe(),
    create(input) {
      const record = toRecord(input, newId(), null)
      store.insert(record)
      load()
      return describe(record.id)
    },
    async update(id, input) {
      const known = requireKnown(id)
      const wanted = toRecord(input, id, known)
      if (known.origin === 'stored') store.update(wanted)
      else environment.override(known, wanted)
      load()
      return describe(id)
    },
    remove(id) {
      const known = requireKnown(id)
      if (known.origin === 'stored') store.remove(id)
      else environment.reset(known)
      load()
    },
    async verify({ id, ...input }, signal) {
      const known = id === undefined ? null : find(id)
      const lender = known !== null && sameAddress(input.url, known.url) ? known : null
      return verifyConnection(toRecord(input, id ?? 'unsaved', lender), policy, signal)
    },
  }
}
