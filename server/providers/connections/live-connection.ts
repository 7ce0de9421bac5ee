import { CONNECTION_KINDS } from '#contract/connection-kinds.ts'
import type { Connection } from '#contract/connections.ts'
import { ServiceError, unavailable } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { OutgoingTarget } from '../../lib/outgoing/outgoing.ts'
import {
  targetOf,
  detourOf,
  isNearby,
  secretsOf,
  typeOf,
  type ConnectionRecord,
} from './connection-record.ts'
import { PROVIDER_KINDS } from '../kinds.ts'
import { ModelList } from '../models/model-list.ts'
import type { ModelsStore } from '../models/models-store.ts'
import type { OfferedModel, Provider, ProviderModel } from '../provider.ts'
import { Upstream } from '../upstream/upstream.ts'
import { requireWayOut } from '../../lib/outgoing/way-out.ts'

/** Bundled runtime, which is called inside the gateway instead of at a URL. */
export interface BuiltInRuntime {
  isOn(): boolean
  /** Registers a listener for possible changes of its models. */
  onChange(listener: () => void): void
  openTarget(): OutgoingTarget
}

/** Settings that control the behaviour of connections, read at the time of use. */
export interface ConnectionPolicy {
  readonly isOffline: () => boolean
  readonly isSealed: () => boolean
  /** Returns true if connections of a kind are used at all. */
  readonly isSwitchedOn: (kind: ConnectionRecord['kind']) => boolean
  readonly connectMilliseconds: () => number
  readonly idleMilliseconds: () => number
  readonly builtIn: BuiltInRuntime | null
  readonly log: Logger
}

/** Creates the provider of a record, with a separate upstream. */
export function connectProvider(
  record: ConnectionRecord,
  policy: ConnectionPolicy,
): { provider: Provider; upstream: Upstream } {
  const kind = PROVIDER_KINDS[record.kind]
  const upstream = new Upstream({
    name: record.name,
    url: record.url,
    headers: { ...kind.headers(record.key), ...record.headers },
    secrets: secretsOf(record),
    connectMilliseconds: policy.connectMilliseconds(),
    firstByteMilliseconds: record.timeout_seconds * 1000,
    idleMilliseconds: policy.idleMilliseconds(),
    detour: detourOf(record),
    ...(record.origin === 'built-in' && { target: policy.builtIn?.openTarget() }),
    requireAllowed: () => {
      if (policy.isOffline() && !isNearby(record)) {
        requireWayOut(targetOf(record), { kind: 'provider', name: record.name })
        throw unavailable(`The connection "${record.name}" is not used while offline mode is on.`, {
          code: 'offline',
          facts: { connection: record.name },
        })
      }
    },
  })
  const options = { connectionId: record.id, name: record.name, type: typeOf(record), upstream }
  return { provider: kind.create(options), upstream }
}

/** Codes of model list failures that persist until the connection is changed. */
const REFUSALS: ReadonlySet<string> = new Set([
  'upstream_refused',
  'upstream_refused_key',
  'upstream_not_an_api',
  'upstream_redirect',
  'upstream_proxy',
])

const LOCKED =
  'Its key cannot be read, because it was saved under another secret. Enter the key again.'

/** Active connection: its provider and the result of the last contact. */
export class LiveConnection {
  readonly record: ConnectionRecord
  readonly provider: Provider
  readonly upstream: Upstream
  readonly #list: ModelList
  readonly #onChange: () => void
  readonly #closing = new AbortController()
  #askedAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> | null = null
  #changes = 0
  /** Number of completed changes, so that a list requested before a change is requested again. */
  #changed = 0
  #refuses = false
  #state: Connection['state'] = {
    status: 'unknown',
    detail: null,
    code: null,
    model_count: 0,
    checked_at: null,
  }

  constructor({
    record,
    policy,
    remembered,
    memory,
    onChange,
  }: {
    record: ConnectionRecord
    policy: ConnectionPolicy
    remembered: readonly ProviderModel[]
    memory: ModelsStore
    onChange: () => void
  }) {
    const { provider, upstream } = connectProvider(record, policy)
    this.record = record
    this.provider = provider
    this.upstream = upstream
    this.#list = new ModelList({ record, provider, remembered, memory, log: policy.log })
    this.#onChange = onChange
  }

  /**
   * Returns its models. While it does not respond these are the last known ones, marked, so that a
   * call can report the problem instead of "unknown".
   */
  models(): readonly OfferedModel[] {
    return this.#list.models
  }

  /**
   * Returns true if its models are unknown because it has not responded yet. A connection that
   * refuses to list them will not do so later either.
   */
  isListMissing(): boolean {
    const { models, isRemembered } = this.#list
    return models.length === 0 && this.#state.status !== 'ok' && isRemembered && !this.#refuses
  }

  state(): Connection['state'] {
    return this.record.enabled
      ? this.#state
      : { ...this.#state, status: 'disabled', detail: null, code: null, model_count: 0 }
  }

  /** Returns the milliseconds since the list was last requested; infinite before that. */
  age(): number {
    return this.#changes > 0 ? Number.POSITIVE_INFINITY : performance.now() - this.#askedAt
  }

  isAsking(): boolean {
    return this.#running !== null
  }

  /** Requests the models now; simultaneous calls share one request. Never fails. */
  refresh(): Promise<void> {
    return (this.#running ??= this.#ask())
  }

  /**
   * Runs work that may change its models; the list counts as old until it is requested after that.
   */
  async change(work: () => Promise<void>): Promise<void> {
    this.#changes += 1
    try {
      await work()
    } finally {
      this.#changes -= 1
      this.#changed += 1
      this.#askedAt = Number.NEGATIVE_INFINITY
      void this.refresh()
    }
  }

  /** Lets running answers finish, for a connection that was changed or removed. */
  async retire(): Promise<void> {
    this.#closing.abort()
    await this.upstream.retire()
  }

  /** Cancels the running calls; with a fault, they fail with it. */
  async close(fault?: ServiceError): Promise<void> {
    this.#closing.abort()
    await this.upstream.close(fault)
  }

  async #ask(): Promise<void> {
    let changed: number
    do {
      changed = this.#changed
      await this.#askOnce()
    } while (changed !== this.#changed)
    this.#running = null
    this.#onChange()
  }

  async #askOnce(): Promise<void> {
    this.#askedAt = performance.now()
    try {
      await this.#list.replace(await this.provider.listModels(this.#closing.signal))
      this.#accept()
    } catch (error) {
      this.#reject(error)
    }
  }

  #accept(): void {
    this.#state = {
      status: 'ok',
      detail: null,
      code: null,
      model_count: this.#list.count,
      checked_at: nowSeconds(),
    }
  }

  #reject(error: unknown): void {
    const { kind, model_ids: named, isLocked } = this.record
    const canNotList = error instanceof ServiceError && error.code === 'upstream_refused'
    if (canNotList && !CONNECTION_KINDS[kind].isRuntime && named.length > 0) {
      this.#list.takeNamed()
      return this.#accept()
    }
    this.#list.markUnavailable()
    this.#refuses = error instanceof ServiceError && REFUSALS.has(error.code)
    const fault = error instanceof ServiceError ? error : null
    const sentence = fault?.message ?? 'The model list could not be read.'
    this.#state = {
      status: 'failed',
      detail: isLocked ? LOCKED : sentence,
      code: fault?.code ?? null,
      model_count: 0,
      checked_at: nowSeconds(),
    }
  }
}
