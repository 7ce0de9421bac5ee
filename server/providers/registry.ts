import { isDeepStrictEqual } from 'node:util'
import type { Connection } from '#contract/connections.ts'
import type { ServiceError } from '../lib/errors.ts'
import { createBackend, type Backend } from './backend.ts'
import { describeRecord, isNearby, type ConnectionRecord } from './connection-record.ts'
import type { OfferedModel } from './index.ts'
import {
  createLiveConnection,
  type ConnectionPolicy,
  type LiveConnection,
} from './live-connection.ts'
import { isFilter } from './model-list.ts'
import type { ModelSource } from './model-source.ts'
import type { ModelsStore } from './models-store.ts'
import { refreshModels } from './refresh-models.ts'

/** Every connection in use and the models behind them. */
export interface Registry {
  /**
   * Models of all connections, the guide last; those of connections that do not answer are marked.
   * Waits only for connections never asked before.
   */
  list(options: { refresh: boolean }): Promise<OfferedModel[]>
  /** Models that answer with embeddings only. */
  listEmbedding(): Promise<OfferedModel[]>
  findCached(publicId: string): OfferedModel | null
  find(publicId: string): Promise<OfferedModel | null>
  /**
   * Whether a connection in use has not told its models yet, so that an unknown one may be there
   * all the same.
   */
  isIncomplete(): boolean
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
  /** Ends the calls under way; with a fault it is what they fail with. */
  close(fault?: ServiceError): Promise<void>
}

/** The connections in use, which change as a whole. */
interface Members {
  all(): LiveConnection[]
  get(id: string): LiveConnection | undefined
  use(records: readonly ConnectionRecord[], rebuild: boolean): void
  close(fault?: ServiceError): Promise<void>
}

function createMembers(
  policy: ConnectionPolicy,
  memory: ModelsStore,
  onChange: () => void,
): Members {
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
    return isSame ? current : createLiveConnection(record, policy, memory, onChange)
  }

  return {
    all: () => [...live.values()],
    get: (id) => live.get(id),
    use(records, rebuild) {
      const next = new Map(records.map((record) => [record.id, keepOrCreate(record, rebuild)]))
      for (const connection of live.values())
        if (next.get(connection.record.id) !== connection) retire(connection)
      live = next
      onChange()
    },
    async close(fault) {
      await Promise.all([...live.values(), ...leaving].map((connection) => connection.close(fault)))
    },
  }
}

const findFilters = (connections: readonly LiveConnection[]): OfferedModel[] =>
  connections
    .flatMap((connection) => connection.models())
    .filter(({ model }) => isFilter(model))
    .toSorted((one, other) => one.model.pipeline!.priority - other.model.pipeline!.priority)

const isGuide = ({ provider }: OfferedModel): boolean => provider.kind === 'guide'

/** Local models first. */
const byDistance = (one: OfferedModel, other: OfferedModel): number =>
  Number(one.provider.type !== 'local') - Number(other.provider.type !== 'local')

/**
 * Each id once: where several connections have it, the first one that answers wins, but no remote
 * model takes the place of a local one, as words would leave the computer unasked. Those at the end
 * take the place of any with their ids.
 */
function mergeOffers(
  offers: readonly OfferedModel[],
  atEnd: readonly OfferedModel[],
): Map<string, OfferedModel> {
  const models = new Map<string, OfferedModel>()
  for (const offered of offers) {
    const known = models.get(offered.publicId)
    const isBetter =
      known?.isUnavailable && !offered.isUnavailable && byDistance(known, offered) === 0
    if (!known || isBetter) models.set(offered.publicId, offered)
  }
  for (const offered of atEnd) {
    models.delete(offered.publicId)
    models.set(offered.publicId, offered)
  }
  return models
}

/** A colon behind the last slash. */
const IS_TAGGED = /:[^/]*$/

/**
 * Local runtimes take a name without a tag for the model tagged `latest`, and so does whoever knows
 * their models.
 */
function findLatest(
  index: ReadonlyMap<string, OfferedModel>,
  publicId: string,
): OfferedModel | undefined {
  const found = IS_TAGGED.test(publicId) ? undefined : index.get(`${publicId}:latest`)
  return found?.provider.kind === 'runtime' ? found : undefined
}

const isListed = ({ model }: OfferedModel): boolean => !model.embedsOnly && !isFilter(model)

export function createRegistry(policy: ConnectionPolicy, memory: ModelsStore): Registry {
  let index: Map<string, OfferedModel> | null = null
  /** Known as long as the lists they stand in, as it is asked for on every call. */
  let filters: readonly OfferedModel[] | null = null
  const forget = (): void => {
    index = null
    filters = null
  }
  const members = createMembers(policy, memory, forget)
  const sources: ModelSource[] = []
  const refreshSources = (force: boolean, wanted?: string): Promise<unknown> =>
    Promise.all(sources.map((source) => source.refresh(force, wanted)))

  const isAllowed = ({ record }: LiveConnection): boolean =>
    policy.isSwitchedOn(record.kind) && (!policy.isOffline() || isNearby(record))
  const isUsable = (connection: LiveConnection): boolean =>
    connection.record.enabled && isAllowed(connection)
  const usable = (): LiveConnection[] => members.all().filter(isUsable)
  const mayOffer = ({ model }: OfferedModel): boolean =>
    !policy.isOffline() || model.leavesComputer !== true

  function merge(): Map<string, OfferedModel> {
    const inside = sources.flatMap((source) => source.models()).filter(mayOffer)
    const outside = usable().flatMap((connection) => connection.models())
    return mergeOffers(
      [...outside.filter(mayOffer).toSorted(byDistance), ...inside],
      inside.filter(isGuide),
    )
  }

  function findCached(publicId: string): OfferedModel | null {
    index ??= merge()
    const found = index.get(publicId) ?? findLatest(index, publicId)
    return found && !isFilter(found.model) ? found : null
  }

  function describeLive(connection: LiveConnection): Connection {
    const state = connection.state()
    const isRefused = connection.record.enabled && !isAllowed(connection)
    const isSwitchedOff = !policy.isSwitchedOn(connection.record.kind)
    const detail = isSwitchedOff
      ? 'Not used while connections of this kind are switched off.'
      : 'Not used while offline mode is on.'
    return describeRecord(
      connection.record,
      isRefused ? { ...state, status: 'failed', detail, model_count: 0 } : state,
    )
  }

  return {
    async list(options) {
      await Promise.all([refreshModels(usable(), options.refresh), refreshSources(options.refresh)])
      return [...merge().values()].filter(isListed)
    },
    async listEmbedding() {
      await refreshModels(usable(), false)
      return [...merge().values()].filter(({ model }) => model.embedsOnly)
    },
    findCached,
    async find(publicId) {
      await Promise.all([refreshModels(usable(), true), refreshSources(true, publicId)])
      return findCached(publicId)
    },
    isIncomplete: () => usable().some((connection) => connection.isListMissing()),
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
      const shown = members
        .all()
        .filter(
          (connection) =>
            connection.record.origin !== 'found' || connection.state().status === 'ok',
        )
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
    close: (fault) => members.close(fault),
  }
}
