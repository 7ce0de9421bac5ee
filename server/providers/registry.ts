import { isDeepStrictEqual } from 'node:util'
import type { Connection } from '#contract/connections.ts'
import { createBackend, type Backend } from './backend.ts'
import { describeRecord, isNearby, type ConnectionRecord } from './connection-record.ts'
import type { OfferedModel } from './index.ts'
import { createLiveConnection, isFilter, type ConnectionPolicy, type LiveConnection } from './live-connection.ts'
import type { ModelSource } from './model-source.ts'
import { refreshModels } from './refresh-models.ts'

/** Every connection in use and the models behind them. */
export interface Registry {
  /** Models of all connections that answer, the guide last. Waits only for connections never asked before. */
  list(options: { refresh: boolean }): Promise<OfferedModel[]>
  /** Models that answer with embeddings only, of all connections that answer. */
  listEmbedding(): Promise<OfferedModel[]>
  findCached(publicId: string): OfferedModel | null
  find(publicId: string): Promise<OfferedModel | null>
  /** Filters of pipelines servers, in the order they run. */
  pipelineFilters(): readonly OfferedModel[]
  /** Connections of a kind in their order, for proxies. */
  backends(kind: ConnectionRecord['kind']): Backend[]
  /** Adds models from within the gateway, after those of the connections. */
  offer(source: ModelSource): void
  describe(): Promise<Connection[]>
  describeOne(id: string): Promise<Connection | null>
  /** Puts the records in use, keeping connections whose record is the same. */
  use(records: readonly ConnectionRecord[]): void
  /** Forgets which models may be used now. */
  reset(): void
  /** Builds every connection again, for settings that take effect when one is built. */
  reconnect(): void
  close(): Promise<void>
}

/** The connections in use, which change as a whole. */
interface Members {
  all(): LiveConnection[]
  get(id: string): LiveConnection | undefined
  use(records: readonly ConnectionRecord[], rebuild: boolean): void
  close(): Promise<void>
}

function createMembers(policy: ConnectionPolicy, onChange: () => void): Members {
  let live = new Map<string, LiveConnection>()
  /** No longer in use, but still answering. */
  const leaving = new Set<LiveConnection>()

  function retire(connection: LiveConnection): void {
    leaving.add(connection)
    void connection.retire().then(() => leaving.delete(connection))
  }

  function keepOrCreate(record: ConnectionRecord, rebuild: boolean): LiveConnection {
    const current = live.get(record.id)
    const isSame = !rebuild && current !== undefined && isDeepStrictEqual(current.record, record)
    return isSame ? current : createLiveConnection(record, policy, onChange)
  }

  return {
    all: () => [...live.values()],
    get: (id) => live.get(id),
    use(records, rebuild) {
      const next = new Map(records.map((record) => [record.id, keepOrCreate(record, rebuild)]))
      for (const connection of live.values()) if (next.get(connection.record.id) !== connection) retire(connection)
      live = next
      onChange()
    },
    async close() {
      await Promise.all([...live.values(), ...leaving].map((connection) => connection.close()))
    },
  }
}

const findFilters = (connections: readonly LiveConnection[]): OfferedModel[] =>
  connections
    .flatMap((connection) => connection.models())
    .filter(({ model }) => isFilter(model))
    .toSorted((one, other) => one.model.pipeline!.priority - other.model.pipeline!.priority)

const isGuide = ({ provider }: OfferedModel): boolean => provider.kind === 'guide'

/** Puts offers at the end, in the place of any that have their ids. */
function putLast(offers: Map<string, OfferedModel>, last: readonly OfferedModel[]): Map<string, OfferedModel> {
  for (const offered of last) {
    offers.delete(offered.publicId)
    offers.set(offered.publicId, offered)
  }
  return offers
}

const isListed = ({ model }: OfferedModel): boolean => !model.embedsOnly && !isFilter(model)

export function createRegistry(policy: ConnectionPolicy): Registry {
  let index: Map<string, OfferedModel> | null = null
  /** Known as long as the lists they stand in, as it is asked for on every call. */
  let filters: readonly OfferedModel[] | null = null
  const forget = (): void => {
    index = null
    filters = null
  }
  const members = createMembers(policy, forget)
  const sources: ModelSource[] = []
  const refreshSources = (force: boolean): Promise<unknown> => Promise.all(sources.map((source) => source.refresh(force)))

  const isAllowed = ({ record }: LiveConnection): boolean => policy.isSwitchedOn(record.kind) && (!policy.isOffline() || isNearby(record))
  const isUsable = (connection: LiveConnection): boolean => connection.record.enabled && isAllowed(connection)
  const usable = (): LiveConnection[] => members.all().filter(isUsable)
  const mayOffer = ({ model }: OfferedModel): boolean => !policy.isOffline() || model.leavesComputer !== true

  /** Where two connections have the same id, the first one wins; nobody takes the guide's. */
  function merge(pick: (connection: LiveConnection) => readonly OfferedModel[]): Map<string, OfferedModel> {
    const inside = sources.flatMap((source) => source.models())
    const offers = [...usable().flatMap(pick), ...inside].filter(mayOffer)
    const models = new Map(offers.toReversed().map((offered) => [offered.publicId, offered]))
    const inOrder = new Map(offers.map(({ publicId }) => [publicId, models.get(publicId)!]))
    return putLast(inOrder, inside.filter(isGuide))
  }

  function findCached(publicId: string): OfferedModel | null {
    index ??= merge((connection) => connection.lastModels())
    const found = index.get(publicId)
    return found && !isFilter(found.model) ? found : null
  }

  function describeLive(connection: LiveConnection): Connection {
    const state = connection.state()
    const isRefused = connection.record.enabled && !isAllowed(connection)
    const isSwitchedOff = !policy.isSwitchedOn(connection.record.kind)
    const detail = isSwitchedOff ? 'Not used while connections of this kind are switched off.' : 'Not used while offline mode is on.'
    return describeRecord(connection.record, isRefused ? { ...state, status: 'failed', detail, model_count: 0 } : state)
  }

  return {
    async list(options) {
      await Promise.all([refreshModels(usable(), options.refresh), refreshSources(options.refresh)])
      return [...merge((connection) => connection.models()).values()].filter(isListed)
    },
    async listEmbedding() {
      await refreshModels(usable(), false)
      return [...merge((connection) => connection.models()).values()].filter(({ model }) => model.embedsOnly)
    },
    findCached,
    async find(publicId) {
      await Promise.all([refreshModels(usable(), true), refreshSources(true)])
      return findCached(publicId)
    },
    pipelineFilters: () => (filters ??= findFilters(usable())),
    backends: (kind) =>
      members
        .all()
        .filter(({ record }) => record.kind === kind)
        .map((connection, place) => createBackend(connection, place, isUsable(connection))),
    offer(source) {
      sources.push(source)
      source.onChange(forget)
      forget()
    },
    async describe() {
      await refreshModels(usable(), false)
      const shown = members.all().filter((connection) => connection.record.origin !== 'found' || connection.state().status === 'ok')
      return shown.map(describeLive)
    },
    async describeOne(id) {
      const connection = members.get(id)
      if (!connection) return null
      if (isUsable(connection)) await refreshModels([connection], false)
      return describeLive(connection)
    },
    use: (records) => members.use(records, false),
    reset: forget,
    reconnect() {
      const records = members.all().map(({ record }) => record)
      members.use(records, true)
    },
    close: () => members.close(),
  }
}
