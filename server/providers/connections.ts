import type {
  Connection,
  ConnectionCheck,
  ConnectionInput,
  LocalRuntime,
} from '#contract/connections.ts'
import { notFound } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import {
  BUILT_IN_RUNTIME,
  parseAddress,
  toRecord,
  type ConnectionRecord,
} from './connection-record.ts'
import type { EnvironmentConnections } from './environment-connections.ts'
import type { ConnectionPolicy } from './live-connection.ts'
import type { LiveConnections } from './live-connections.ts'
import { findLocalRuntimes } from './local-runtimes.ts'
import type { ModelsStore } from './models-store.ts'
import type { ConnectionStore } from './store.ts'
import { verifyConnection } from './verify-connection.ts'

const sameAddress = (left: string, right: string): boolean => parseAddress(left) === right

/** The connections as administrators list and change them. */
export class Connections {
  readonly #store: ConnectionStore
  readonly #environment: EnvironmentConnections
  readonly #live: LiveConnections
  readonly #memory: ModelsStore
  readonly #policy: ConnectionPolicy
  readonly #runtimePorts: readonly number[]

  constructor({
    store,
    environment,
    live,
    memory,
    policy,
    runtimePorts,
  }: {
    store: ConnectionStore
    environment: EnvironmentConnections
    live: LiveConnections
    memory: ModelsStore
    policy: ConnectionPolicy
    /** The ports of this computer on which programs that serve models are looked for. */
    runtimePorts: readonly number[]
  }) {
    this.#store = store
    this.#environment = environment
    this.#live = live
    this.#memory = memory
    this.#policy = policy
    this.#runtimePorts = runtimePorts
  }

  /**
   * Puts stored and environment connections in use. A runtime found by itself steps back when an
   * administrator has added the same address.
   */
  async load(): Promise<void> {
    const stored = await this.#store.list()
    const others = (await this.#environment.list()).filter(
      ({ origin, url }) => origin !== 'found' || !stored.some((record) => record.url === url),
    )
    const builtIn = this.#policy.builtIn?.isOn() ? [BUILT_IN_RUNTIME] : []
    const records = [...stored, ...others, ...builtIn]
    await this.#memory.keepOnly(records.map(({ id }) => id))
    await this.#live.use(records)
  }

  list(): Promise<Connection[]> {
    return this.#live.describe()
  }

  async create(input: ConnectionInput): Promise<Connection> {
    const record = toRecord(input, newId(), null)
    await this.#store.insert(record)
    await this.load()
    return this.#describe(record.id)
  }

  /** Changes a connection; of one of the environment everything but kind and address. */
  async update(id: string, input: ConnectionInput): Promise<Connection> {
    const known = await this.#requireKnown(id)
    const wanted = toRecord(input, id, known)
    if (known.origin === 'stored') await this.#store.update(wanted)
    else await this.#environment.override(known, wanted)
    await this.load()
    return this.#describe(id)
  }

  /** Removes a connection; one of the environment goes back to what is said there. */
  async remove(id: string): Promise<void> {
    const known = await this.#requireKnown(id)
    if (known.origin === 'stored') await this.#store.remove(id)
    else await this.#environment.reset(known)
    await this.load()
  }

  /** Tries a connection as entered; an empty key stands for the stored one of the same address. */
  async verify(
    { id, ...input }: ConnectionInput & { id?: string },
    signal: AbortSignal,
  ): Promise<ConnectionCheck> {
    const known = id === undefined ? null : await this.#find(id)
    const lender = known !== null && sameAddress(input.url, known.url) ? known : null
    return verifyConnection(toRecord(input, id ?? 'unsaved', lender), this.#policy, signal)
  }

  /** Programs on this computer that serve models and are not connected yet. */
  async findLocal(signal: AbortSignal): Promise<LocalRuntime[]> {
    return findLocalRuntimes({
      ports: this.#runtimePorts,
      known: [...(await this.#store.list()), ...(await this.#environment.list())].map(
        ({ url }) => url,
      ),
      policy: this.#policy,
      signal,
    })
  }

  async #find(id: string): Promise<ConnectionRecord | null> {
    return (
      (await this.#store.get(id)) ??
      (await this.#environment.list()).find((record) => record.id === id) ??
      null
    )
  }

  async #requireKnown(id: string): Promise<ConnectionRecord> {
    const known = await this.#find(id)
    if (!known) throw notFound('There is no such connection.')
    return known
  }

  async #describe(id: string): Promise<Connection> {
    const described = await this.#live.describeOne(id)
    if (!described) throw notFound('There is no such connection.')
    return described
  }
}
