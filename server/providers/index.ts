import type { ConnectionKind } from '#contract/connection-kinds.ts'
import { connectionInputSchema } from '#contract/connections.ts'
import type { Config } from '../config/config.ts'
import type { ServiceError } from '../lib/errors.ts'
import type { Route } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import { isOffline, type GatewaySettings, type Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import type { Backend } from './connections/backend.ts'
import { toRecord } from './connections/connection-record.ts'
import { Connections } from './connections/connections.ts'
import { PROVIDER_KINDS } from './kinds.ts'
import type { ModelSource } from './models/model-source.ts'
import { LiveConnections } from './connections/live-connections.ts'
import {
  findByOtherId,
  findFilters,
  findLatest,
  isListed,
  mergeOffers,
} from './models/merge-offers.ts'
import { isFilter } from './models/model-list.ts'
import { readRuntimePorts } from './connections/local-runtimes.ts'
import { ModelsStore } from './models/models-store.ts'
import {
  EnvironmentConnections,
  readEnvironmentConnections,
} from './connections/environment-connections.ts'
import {
  connectProvider,
  type BuiltInRuntime,
  type ConnectionPolicy,
} from './connections/live-connection.ts'
import { OverrideStore } from './connections/override-store.ts'
import { LocalPrograms } from './programs/local-programs.ts'
import { createProgramRoutes } from './programs/routes.ts'
import type { OfferedModel, Provider } from './provider.ts'
import { refreshModels } from './models/refresh-models.ts'
import { createConnectionRoutes } from './routes.ts'
import { ConnectionStore } from './store.ts'

export type { Backend } from './connections/backend.ts'
export { collectCompletion, countUnits } from './upstream/collect-completion.ts'
export { logProbabilitiesOf, toLogProbabilities } from './upstream/log-probabilities.ts'
export type { Connections } from './connections/connections.ts'
export type { ModelSource } from './models/model-source.ts'
export { adaptRequest } from './compatible/adapt-request.ts'
export { mergeDetails } from './upstream/merge-details.ts'
export { toOwnPart } from './messages/own-blocks.ts'
export {
  isAdaptiveThinking,
  isSealed,
  toSealedBlocks,
  toSealedDetail,
} from './messages/sealed-thoughts.ts'
export {
  noteDroppedFields,
  rewriteModel,
  serializeBody,
  stripGatewayFields,
} from './upstream/convert-body.ts'
export type {
  CompletionCall,
  CompletionFrame,
  ErrorFrame,
  FrameSink,
  FrameStream,
  OfferedModel,
  Provider,
  ProviderModel,
  TextUpstream,
} from './provider.ts'

export { isUnreached } from './upstream/upstream-faults.ts'

/** Location of a provider that is not one of the connections. */
export interface ProviderAddress {
  readonly kind: ConnectionKind
  /** Name used in errors. */
  readonly name: string
  readonly url: string
  readonly key: string
  readonly headers?: Record<string, string>
}

type ProviderSettings = Settings<
  | 'ENABLE_LLMHOST_API'
  | 'ENABLE_OPENAI_API'
  | 'ENABLE_PERSISTENT_CONFIG'
  | 'OFFLINE_MODE'
  | 'SEALED_MODE'
  | 'UPSTREAM_CONNECT_TIMEOUT'
  | 'UPSTREAM_FIRST_BYTE_TIMEOUT'
  | 'UPSTREAM_IDLE_TIMEOUT'
>

const RESETTING: ReadonlySet<string | null> = new Set([
  'OFFLINE_MODE',
  'SEALED_MODE',
  ...Object.values(PROVIDER_KINDS).map(({ setting }) => setting),
])

/** Returns true for settings that take effect when a connection is created. */
const isOfConnecting = (key: string): boolean =>
  key.startsWith('UPSTREAM_') ||
  key.includes('PROXY_') ||
  key === 'ENABLE_PROXY' ||
  key === 'TRUSTED_CERTIFICATES'

/** All connections of the gateway and the models behind them. */
export class Providers {
  /** Connections as administrators list and change them. */
  readonly connections: Connections
  /** Programs on the gateway's computer that serve models. */
  readonly programs: LocalPrograms
  readonly routes: readonly Route[]
  readonly #policy: ConnectionPolicy
  readonly #live: LiveConnections
  readonly #sources: ModelSource[] = []
  #index: Map<string, OfferedModel> | null = null
  /** Cached as long as the index, because every call needs them. */
  #filters: readonly OfferedModel[] | null = null

  /** No connection is contacted before the first use. */
  constructor({
    storage,
    secrets,
    settings,
    config,
    log,
    builtIn = null,
  }: {
    storage: Storage
    secrets: Secrets
    settings: ProviderSettings & Pick<GatewaySettings, 'onChange'>
    config: Config
    log: Logger
    builtIn?: BuiltInRuntime | null
  }) {
    const policy = { ...readPolicy(settings, log), builtIn }
    const memory = new ModelsStore(storage)
    this.#policy = policy
    this.#live = new LiveConnections({ policy, memory, onChange: () => this.#forget() })
    const environment = new EnvironmentConnections({
      read: () =>
        readEnvironmentConnections(
          config.environment,
          settings.get('UPSTREAM_FIRST_BYTE_TIMEOUT'),
          log,
        ),
      store: new OverrideStore({ storage, secrets }),
      isFirst: () => !settings.get('ENABLE_PERSISTENT_CONFIG'),
    })
    const store = new ConnectionStore({ storage, secrets })
    const programs = new LocalPrograms({
      environment: config.environment,
      isSealed: policy.isSealed,
      log,
    })
    this.programs = programs
    const connections = new Connections({
      store,
      environment,
      live: this.#live,
      memory,
      policy,
      runtimePorts: readRuntimePorts(config.environment),
      programs,
    })
    this.connections = connections
    this.routes = [...createConnectionRoutes(connections), ...createProgramRoutes(programs)]
    builtIn?.onChange(() => this.#live.renewBuiltIn())
    storage.onOthersChange(['connection', 'connection_override'], () => connections.load())
    settings.onChange(async (keys) => {
      if (keys.some((key) => RESETTING.has(key))) this.#forget()
      if (keys.includes('ENABLE_BUILT_IN_RUNTIME')) await connections.load()
      if (!keys.some(isOfConnecting)) return
      await connections.load()
      await this.#live.reconnect()
    })
  }

  /** Activates the connections; must be awaited before the first call. */
  load(): Promise<void> {
    return this.connections.load()
  }

  /**
   * Lists the chat models, from a short-lived cache unless `refresh` is set. Models of connections
   * that do not respond are marked; only connections that were never asked are waited for.
   */
  async listModels({ refresh = false } = {}): Promise<OfferedModel[]> {
    await Promise.all([refreshModels(this.#live.usable(), refresh), this.#refreshSources(refresh)])
    return [...this.#merge().values()].filter(isListed)
  }

  /** Lists the models that only return embeddings; lists of chat models do not include them. */
  async listEmbeddingModels(): Promise<OfferedModel[]> {
    await refreshModels(this.#live.usable(), false)
    return [...this.#merge().values()].filter(
      ({ model }) => model.embedsOnly && model.ranksOnly !== true,
    )
  }

  /** Lists the models that only rank texts. */
  async listRankingModels(): Promise<OfferedModel[]> {
    await refreshModels(this.#live.usable(), false)
    return [...this.#merge().values()].filter(
      ({ model, provider }) => model.ranksOnly === true && provider.rank !== undefined,
    )
  }

  /**
   * Returns the model of a public id, synchronously from the last known lists; null if it is
   * unknown there.
   */
  findCached(publicId: string): OfferedModel | null {
    const index = (this.#index ??= this.#merge())
    const found =
      index.get(publicId) ?? findLatest(index, publicId) ?? findByOtherId(index, publicId)
    return found && !isFilter(found.model) ? found : null
  }

  /** Returns the model of a public id after asking the upstreams again. */
  async find(publicId: string): Promise<OfferedModel | null> {
    await Promise.all([
      refreshModels(this.#live.usable(), true),
      this.#refreshSources(true, publicId),
    ])
    return this.findCached(publicId)
  }

  /**
   * Returns true if an active connection has never listed its models, so that any id may be one of
   * them.
   */
  isIncomplete(): boolean {
    return this.#live.usable().some((connection) => connection.isListMissing())
  }

  /** Returns the filters of pipelines servers, in the order they run. */
  pipelineFilters(): readonly OfferedModel[] {
    return (this.#filters ??= findFilters(this.#outside()))
  }

  /** Returns the connections of a kind in order, for proxies. */
  backends(kind: ConnectionKind): readonly Backend[] {
    return this.#live.backends(kind)
  }

  /** Adds models from inside the gateway, such as pipes. */
  offer(source: ModelSource): void {
    this.#sources.push(source)
    source.onChange(() => this.#forget())
    this.#forget()
  }

  /**
   * Creates a provider for a URL an administrator configured outside the connections. Nothing is
   * contacted yet; throws 400 for an invalid URL.
   */
  openProvider(address: ProviderAddress): { readonly provider: Provider; close(): Promise<void> } {
    const input = connectionInputSchema.parse({ ...address, headers: address.headers ?? {} })
    const { provider, upstream } = connectProvider(toRecord(input, newId(), null), this.#policy)
    return { provider, close: () => upstream.close() }
  }

  /** Cancels the running calls; with a fault, they fail with it. No new calls are accepted. */
  close(fault?: ServiceError): Promise<void> {
    return this.#live.close(fault)
  }

  #forget(): void {
    this.#index = null
    this.#filters = null
  }

  async #refreshSources(force: boolean, wanted?: string): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.refresh(force, wanted)))
  }

  #outside(): OfferedModel[] {
    return this.#live.usable().flatMap((connection) => connection.models())
  }

  #merge(): Map<string, OfferedModel> {
    const mayOffer = ({ model }: OfferedModel): boolean =>
      !this.#policy.isOffline() || model.leavesComputer !== true
    const inside = this.#sources.flatMap((source) => source.models())
    return mergeOffers(this.#outside().filter(mayOffer), inside.filter(mayOffer))
  }
}

const readPolicy = (
  settings: ProviderSettings,
  log: Logger,
): Omit<ConnectionPolicy, 'builtIn'> => ({
  isSwitchedOn(kind) {
    const { setting } = PROVIDER_KINDS[kind]
    return setting === null || settings.get(setting)
  },
  isOffline: () => isOffline(settings),
  isSealed: () => settings.get('SEALED_MODE'),
  connectMilliseconds: () => settings.get('UPSTREAM_CONNECT_TIMEOUT') * 1000,
  idleMilliseconds: () => settings.get('UPSTREAM_IDLE_TIMEOUT') * 1000,
  log,
})
