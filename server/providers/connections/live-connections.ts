import { isDeepStrictEqual } from 'node:util'
import type { Connection } from '#contract/connections.ts'
import type { ServiceError } from '../../lib/errors.ts'
import { Backend } from './backend.ts'
import { describeRecord, isNearby, type ConnectionRecord } from './connection-record.ts'
import { LiveConnection, type ConnectionPolicy } from './live-connection.ts'
import type { ModelsStore } from '../models/models-store.ts'
import type { ProviderModel } from '../provider.ts'
import { refreshModels } from '../models/refresh-models.ts'

/**
 * Returns true if a connection is shown; the built-in runtime only while it has models, an
 * automatically found one only while it responds.
 */
function isWorthShowing(connection: LiveConnection): boolean {
  const { origin } = connection.record
  if (origin === 'built-in') return connection.models().length > 0
  return origin !== 'found' || connection.state().status === 'ok'
}

/** Active connections, which are replaced as a whole. */
export class LiveConnections {
  readonly #policy: ConnectionPolicy
  readonly #memory: ModelsStore
  readonly #onChange: () => void
  #live = new Map<string, LiveConnection>()
  /** Connections that are no longer active, but still answering. */
  readonly #leaving = new Set<LiveConnection>()

  /** Number of replacements started; the last one wins. */
  #turn = 0

  /** `onChange` is called when the active connections or the models of one may have changed. */
  constructor({
    policy,
    memory,
    onChange,
  }: {
    policy: ConnectionPolicy
    memory: ModelsStore
    onChange: () => void
  }) {
    this.#policy = policy
    this.#memory = memory
    this.#onChange = onChange
  }

  /** Returns the connections that may be called now. */
  usable(): LiveConnection[] {
    return [...this.#live.values()].filter((connection) => this.#isUsable(connection))
  }

  /** Returns the connections of a kind in order, for proxies. */
  backends(kind: ConnectionRecord['kind']): Backend[] {
    return [...this.#live.values()]
      .filter(({ record }) => record.kind === kind)
      .map(
        (connection, index) =>
          new Backend({ connection, index, isUsable: this.#isUsable(connection) }),
      )
  }

  async describe(): Promise<Connection[]> {
    await refreshModels(this.usable(), false)
    return [...this.#live.values()]
      .filter(isWorthShowing)
      .map((connection) => this.#describe(connection))
  }

  async describeOne(id: string): Promise<Connection | null> {
    const connection = this.#live.get(id)
    if (!connection) return null
    if (this.#isUsable(connection)) await refreshModels([connection], false)
    return this.#describe(connection)
  }

  /** Activates the records, keeping connections whose record is unchanged. */
  async use(records: readonly ConnectionRecord[]): Promise<void> {
    await this.#replace(records, (record) => {
      const current = this.#live.get(record.id)
      return current && isDeepStrictEqual(current.record, record) ? current : null
    })
  }

  /** Lists the models of the bundled runtime again, even if that is already in progress. */
  renewBuiltIn(): void {
    for (const connection of this.#live.values())
      if (connection.record.origin === 'built-in') void connection.change(() => Promise.resolve())
  }

  /** Rebuilds every connection, for settings that take effect when one is created. */
  async reconnect(): Promise<void> {
    const records = [...this.#live.values()].map(({ record }) => record)
    await this.#replace(records, () => null)
  }

  /** Cancels the running calls; with a fault, they fail with it. */
  async close(fault?: ServiceError): Promise<void> {
    await Promise.all(
      [...this.#live.values(), ...this.#leaving].map((connection) => connection.close(fault)),
    )
  }

  #create(record: ConnectionRecord, remembered: readonly ProviderModel[]): LiveConnection {
    return new LiveConnection({
      record,
      remembered,
      policy: this.#policy,
      memory: this.#memory,
      onChange: this.#onChange,
    })
  }

  /** `keep` returns the existing connection for a record; null for a new one. */
  async #replace(
    records: readonly ConnectionRecord[],
    keep: (record: ConnectionRecord) => LiveConnection | null,
  ): Promise<void> {
    const turn = (this.#turn += 1)
    const remembered = new Map<string, readonly ProviderModel[]>()
    for (const record of records) remembered.set(record.id, (await this.#memory.read(record)) ?? [])
    // Other records were activated while these were read.
    if (turn !== this.#turn) return
    const next = new Map(
      records.map((record) => [
        record.id,
        keep(record) ?? this.#create(record, remembered.get(record.id)!),
      ]),
    )
    for (const connection of this.#live.values())
      if (next.get(connection.record.id) !== connection) this.#retire(connection)
    this.#live = next
    this.#onChange()
  }

  #retire(connection: LiveConnection): void {
    this.#leaving.add(connection)
    void connection.retire().then(() => this.#leaving.delete(connection))
  }

  #isAllowed({ record }: LiveConnection): boolean {
    return this.#policy.isSwitchedOn(record.kind) && (!this.#policy.isOffline() || isNearby(record))
  }

  #isUsable(connection: LiveConnection): boolean {
    return connection.record.enabled && this.#isAllowed(connection)
  }

  #describe(connection: LiveConnection): Connection {
    const { record } = connection
    const state = connection.state()
    if (!record.enabled || this.#isAllowed(connection)) return describeRecord(record, state)
    const detail = this.#policy.isSwitchedOn(record.kind)
      ? 'Not used while offline mode is on.'
      : 'Not used while connections of this kind are switched off.'
    return describeRecord(record, {
      ...state,
      status: 'failed',
      detail,
      code: null,
      model_count: 0,
    })
  }
}
