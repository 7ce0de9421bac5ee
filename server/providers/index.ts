import { connectionInputSchema, type Connection } from '#contract/connections.ts'
import type { Config } from '../config/config.ts'
import type { ServiceError } from '../lib/errors.ts'
import type { Route } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Backend } from './backend.ts'
import { toRecord } from './connection-record.ts'
import { createConnections, type Connections } from './connections.ts'
import type { ModelSource } from './model-source.ts'
import { createModelsStore } from './models-store.ts'
import {
  createEnvironmentConnections,
  readEnvironmentConnections,
} from './environment-connections.ts'
import { connectProvider, type ConnectionPolicy } from './live-connection.ts'
import { createOverrideStore } from './override-store.ts'
import type { Provider, ProviderModel } from './provider.ts'
import { createRegistry } from './registry.ts'
import { createConnectionRoutes } from './routes.ts'
import { createConnectionStore } from './store.ts'

export type { Backend } from './backend.ts'
export { collectCompletion, countUnits } from './collect-completion.ts'
export type { Connections } from './connections.ts'
export type { ModelSource } from './model-source.ts'
export { adaptRequest } from './compatible/adapt-request.ts'
export { mergeDetails } from './merge-details.ts'
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
} from './convert-body.ts'
export type {
  CompletionCall,
  CompletionFrame,
  ErrorFrame,
  FrameSink,
  FrameStream,
  Provider,
  ProviderModel,
  TextUpstream,
} from './provider.ts'

export { isUnreached } from './upstream-faults.ts'

/** A model together with where it comes from. `publicId` carries the prefix of its connection. */
export interface OfferedModel {
  readonly publicId: string
  readonly model: ProviderModel
  readonly provider: Provider
  /** True while its connection does not answer; a call says so. */
  readonly isUnavailable?: boolean
}

/** All connections of the gateway and the models behind them. */
export interface Providers {
  /**
   * Models of all enabled connections, from a short cache unless `refresh`; those of dead ones are
   * marked and delay nothing.
   */
  listModels(options?: { refresh?: boolean }): Promise<OfferedModel[]>
  /** The model of a public id, synchronously from the last known lists; null when unknown there. */
  findCached(publicId: string): OfferedModel | null
  /** The model of a public id, asking upstreams again when it is not known. */
  find(publicId: string): Promise<OfferedModel | null>
  /**
   * Whether a connection in use has never told its models, so that nobody can say that a model is
   * unknown.
   */
  isIncomplete(): boolean
  /** Models that answer with embeddings only; no list of models to chat with shows them. */
  listEmbeddingModels(): Promise<OfferedModel[]>
  /**
   * A provider at an address an administrator gave outside of the connections. Nothing is contacted
   * yet; 400 for an address that is none.
   */
  openProvider(address: ProviderAddress): { readonly provider: Provider; close(): Promise<void> }
  /** Filters of pipelines servers, in the order they run. */
  pipelineFilters(): readonly OfferedModel[]
  /** Connections of a kind in their order, for proxies. */
  backends(kind: ConnectionKind): readonly Backend[]
  /** Adds models that come from within the gateway, such as pipes. */
  offer(source: ModelSource): void
  /** What an administrator does with connections. */
  readonly connections: Pick<Connections, 'list' | 'create' | 'update' | 'remove' | 'verify'>
  readonly routes: readonly Route[]
  /**
   * Ends every call under way as if its upstream had failed with this fault; no new ones are taken.
   */
  interrupt(fault: ServiceError): Promise<void>
  /** Closes pooled connections. */
  close(): Promise<void>
}

/** Where a provider is, outside of the connections. */
export interface ProviderAddress {
  readonly kind: ConnectionKind
  /** What errors call it. */
  readonly name: string
  readonly url: string
  readonly key: string
  readonly headers?: Record<string, string>
}

/** What the providers are built from. */
export interface ProvidersDependencies {
  readonly storage: Storage
  readonly secrets: Secrets
  readonly settings: Settings
  readonly config: Config
  readonly log: Logger
}

type ConnectionKind = Connection['kind']

/** Settings that switch all connections of a kind on and off. */
const SWITCHES: Partial<Record<ConnectionKind, string>> = {
  runtime: 'ENABLE_LLMHOST_API',
  compatible: 'ENABLE_OPENAI_API',
}
const RESETTING: ReadonlySet<string> = new Set(['OFFLINE_MODE', ...Object.values(SWITCHES)])

/**
 * Puts stored and environment connections in use. Nothing is contacted before somebody asks for
 * models.
 */
export function createProviders({
  storage,
  secrets,
  settings,
  config,
  log,
}: ProvidersDependencies): Providers {
  const policy: ConnectionPolicy = {
    isSwitchedOn: (kind) =>
      SWITCHES[kind] === undefined ? true : settings.boolean(SWITCHES[kind]),
    isOffline: () => settings.boolean('OFFLINE_MODE'),
    connectMilliseconds: () => settings.integer('UPSTREAM_CONNECT_TIMEOUT') * 1000,
    idleMilliseconds: () => settings.integer('UPSTREAM_IDLE_TIMEOUT') * 1000,
    log,
  }
  const memory = createModelsStore(storage)
  const registry = createRegistry(policy, memory)
  const environment = createEnvironmentConnections({
    read: () =>
      readEnvironmentConnections(
        config.environment,
        settings.integer('UPSTREAM_FIRST_BYTE_TIMEOUT'),
        log,
      ),
    store: createOverrideStore(storage, secrets),
    isFirst: () => !settings.boolean('ENABLE_PERSISTENT_CONFIG'),
  })
  const connections = createConnections({
    store: createConnectionStore(storage, secrets),
    environment,
    registry,
    memory,
    policy,
  })
  connections.load()
  settings.onChange((keys) => {
    if (keys.some((key) => RESETTING.has(key))) registry.reset()
    if (!keys.some((key) => key.startsWith('UPSTREAM_'))) return
    connections.load()
    registry.reconnect()
  })
  return {
    listModels: (options = {}) => registry.list({ refresh: options.refresh ?? false }),
    findCached: (publicId) => registry.findCached(publicId),
    find: (publicId) => registry.find(publicId),
    isIncomplete: () => registry.isIncomplete(),
    listEmbeddingModels: () => registry.listEmbedding(),
    openProvider(address) {
      const input = connectionInputSchema.parse({ ...address, headers: address.headers ?? {} })
      const { provider, upstream } = connectProvider(toRecord(input, newId(), null), policy)
      return { provider, close: () => upstream.close() }
    },
    pipelineFilters: () => registry.pipelineFilters(),
    backends: (kind) => registry.backends(kind),
    offer: (source) => registry.offer(source),
    connections,
    routes: createConnectionRoutes(connections),
    interrupt: (fault) => registry.close(fault),
    close: () => registry.close(),
  }
}
