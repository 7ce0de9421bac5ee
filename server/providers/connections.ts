import type { Connection, ConnectionCheck, ConnectionInput } from '#contract/connections.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { parseAddress, toRecord, type ConnectionRecord } from './connection-record.ts'
import { environmentAdvice } from './environment-connections.ts'
import type { ConnectionPolicy } from './live-connection.ts'
import type { Registry } from './registry.ts'
import type { ConnectionStore } from './store.ts'
import { verifyConnection } from './verify-connection.ts'

/** What an admin does with connections. */
export interface Connections {
  list(): Promise<Connection[]>
  create(input: ConnectionInput): Promise<Connection>
  update(id: string, input: ConnectionInput): Promise<Connection>
  remove(id: string): void
  verify(input: ConnectionInput & { id?: string }, signal: AbortSignal): Promise<ConnectionCheck>
  /** Puts stored and environment connections in use. */
  load(): void
}

export interface ConnectionsDependencies {
  readonly store: ConnectionStore
  readonly registry: Registry
  readonly policy: ConnectionPolicy
  readonly readEnvironment: () => ConnectionRecord[]
}

const sameAddress = (left: string, right: string): boolean => parseAddress(left) === right

export function createConnections({ store, registry, policy, readEnvironment }: ConnectionsDependencies): Connections {
  /** A runtime found by itself steps back when an admin has added the same address. */
  function load(): void {
    const stored = store.list()
    const others = readEnvironment().filter(({ origin, url }) => origin !== 'found' || !stored.some((record) => record.url === url))
    registry.use([...stored, ...others])
  }

  function requireStored(id: string): ConnectionRecord {
    const stored = store.get(id)
    if (stored) return stored
    const fixed = readEnvironment().find((record) => record.id === id)
    if (fixed) throw badRequest(environmentAdvice(fixed), { code: 'connection_from_environment' })
    throw notFound('There is no such connection.')
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
      store.update(toRecord(input, id, requireStored(id)))
      load()
      return describe(id)
    },
    remove(id) {
      requireStored(id)
      store.remove(id)
      load()
    },
    async verify({ id, ...input }, signal) {
      const known = id === undefined ? null : (store.get(id) ?? readEnvironment().find((record) => record.id === id) ?? null)
      const lender = known !== null && sameAddress(input.url, known.url) ? known : null
      return verifyConnection(toRecord(input, id ?? 'unsaved', lender), policy, signal)
    },
  }
}
