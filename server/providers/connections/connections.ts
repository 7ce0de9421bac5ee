import type {
  Connection,
  ConnectionCheck,
  ConnectionInput,
  LocalRuntime,
} from '#contract/connections.ts'
import type { DoctorFinding, DoctorInput } from '#contract/doctor.ts'
import { notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import {
  BUILT_IN_RUNTIME,
  parseAddress,
  toRecord,
  type ConnectionRecord,
} from './connection-record.ts'
import { Doctor } from '../doctor/index.ts'
import { skipped } from '../doctor/finding.ts'
import { readTypedAddress } from '../doctor/read-typed-address.ts'
import type { EnvironmentConnections } from './environment-connections.ts'
import type { ConnectionPolicy } from './live-connection.ts'
import type { LiveConnections } from './live-connections.ts'
import { findLocalRuntimes } from './local-runtimes.ts'
import type { ModelsStore } from '../models/models-store.ts'
import type { LocalPrograms } from '../programs/local-programs.ts'
import type { ConnectionStore } from '../store.ts'
import { verifyConnection } from './verify-connection.ts'

const sameAddress = (left: string, right: string): boolean => parseAddress(left) === right

/** Connections as administrators list and change them. */
export class Connections {
  readonly #store: ConnectionStore
  readonly #environment: EnvironmentConnections
  readonly #live: LiveConnections
  readonly #memory: ModelsStore
  readonly #policy: ConnectionPolicy
  readonly #runtimePorts: readonly number[]
  readonly #programs: LocalPrograms
  readonly #doctor: Doctor

  constructor({
    store,
    environment,
    live,
    memory,
    policy,
    runtimePorts,
    programs,
  }: {
    store: ConnectionStore
    environment: EnvironmentConnections
    live: LiveConnections
    memory: ModelsStore
    policy: ConnectionPolicy
    /** Local ports that are searched for programs that serve models. */
    runtimePorts: readonly number[]
    programs: LocalPrograms
  }) {
    this.#store = store
    this.#environment = environment
    this.#live = live
    this.#memory = memory
    this.#policy = policy
    this.#runtimePorts = runtimePorts
    this.#programs = programs
    this.#doctor = new Doctor({
      policy,
      programs,
      findLocal: (signal) => this.findLocal(signal),
    })
  }

  /**
   * Activates stored and environment connections. An automatically found runtime is dropped if an
   * administrator has added the same URL.
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

  /** Changes a connection; for one of the environment everything except kind and URL. */
  async update(id: string, input: ConnectionInput): Promise<Connection> {
    const known = await this.#requireKnown(id)
    const wanted = toRecord(input, id, known)
    if (known.origin === 'stored') await this.#store.update(wanted)
    else await this.#environment.override(known, wanted)
    await this.load()
    return this.#describe(id)
  }

  /** Removes a connection; one of the environment is reset to the values given there. */
  async remove(id: string): Promise<void> {
    const known = await this.#requireKnown(id)
    if (known.origin === 'stored') await this.#store.remove(id)
    else await this.#environment.reset(known)
    await this.load()
  }

  /** Tests a connection as entered; an empty key stands for the stored one of the same URL. */
  async verify(
    input: ConnectionInput & { id?: string },
    signal: AbortSignal,
  ): Promise<ConnectionCheck> {
    return verifyConnection(await this.#toTried(input), this.#policy, signal)
  }

  /** Examines one step of a call to a connection as entered. */
  async examine({ id, step, ...input }: DoctorInput, signal: AbortSignal): Promise<DoctorFinding> {
    if (id === BUILT_IN_RUNTIME.id)
      return skipped(step, 'built_in', 'The runtime is part of the gateway.')
    const address = readTypedAddress(input.url, input.kind)
    if (address.verdict === 'bad') return { ...address, step }
    const record = await this.#toTried({ ...input, ...(id !== undefined && { id }) })
    const use = this.#doctor.examineUse(record)
    if (step === 'address' || use.verdict === 'bad') return { ...use, step }
    return this.#doctor.examine(step, record, signal)
  }

  /** Finds local programs that serve models and are not connected yet. */
  async findLocal(signal: AbortSignal): Promise<LocalRuntime[]> {
    return findLocalRuntimes({
      ports: this.#runtimePorts,
      known: [...(await this.#store.list()), ...(await this.#environment.list())].map(
        ({ url }) => url,
      ),
      policy: this.#policy,
      nameOf: (port) => this.#programs.nameOf(port),
      signal,
    })
  }

  /** The stored key is used only for the stored URL. */
  async #toTried({ id, ...input }: ConnectionInput & { id?: string }): Promise<ConnectionRecord> {
    const known = id === undefined ? null : await this.#find(id)
    const lender = known !== null && sameAddress(input.url, known.url) ? known : null
    return toRecord(input, id ?? 'unsaved', lender)
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
