import type { Connection } from '#contract/connections.ts'
import { ServiceError, unavailable } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import { createCompatibleProvider } from './compatible/index.ts'
import { isNearby, secretsOf, typeOf, type ConnectionRecord } from './connection-record.ts'
import type { OfferedModel } from './index.ts'
import { ModelList } from './model-list.ts'
import type { ModelsStore } from './models-store.ts'
import type { Provider } from './provider.ts'
import { createMessagesProvider, messagesHeaders } from './messages/index.ts'
import { createRuntimeProvider } from './runtime/index.ts'
import { createUpstream, type Upstream } from './upstream.ts'

/** What decides how connections behave, read when it is needed. */
export interface ConnectionPolicy {
  readonly isOffline: () => boolean
  /** Whether connections of a kind are used at all. */
  readonly isSwitchedOn: (kind: ConnectionRecord['kind']) => boolean
  readonly connectMilliseconds: () => number
  readonly idleMilliseconds: () => number
  readonly log: Logger
}

/** A connection in use: its provider and what the last contact showed. */
export interface LiveConnection {
  readonly record: ConnectionRecord
  readonly provider: Provider
  readonly upstream: Upstream
  /**
   * Its models; those it had when it last answered, marked, while it does not, so that a call can
   * say what is wrong instead of "unknown".
   */
  models(): readonly OfferedModel[]
  /**
   * Whether its models are unknown, because it has not answered yet. One that answers with a
   * refusal has nothing to wait for.
   */
  isListMissing(): boolean
  state(): Connection['state']
  /** Milliseconds since the list was last asked for; infinite before. */
  age(): number
  isAsking(): boolean
  /** Asks for the models now; calls at the same time share one request. Never fails. */
  refresh(): Promise<void>
  /**
   * Does what may change its models; until the next list begun afterwards, what is known counts as
   * old.
   */
  change(work: () => Promise<void>): Promise<void>
  /** Lets answers under way end, for a connection that was changed or removed. */
  retire(): Promise<void>
  /** Ends the calls under way; with a fault it is what they fail with. */
  close(fault?: ServiceError): Promise<void>
}

const PROVIDERS = {
  runtime: createRuntimeProvider,
  compatible: createCompatibleProvider,
  messages: createMessagesProvider,
}

function toAuthorization({ kind, key }: ConnectionRecord): Record<string, string> {
  if (kind === 'messages') return messagesHeaders(key)
  return key === null ? {} : { authorization: `Bearer ${key}` }
}

/** The provider of a record, with an upstream of its own. */
export function connectProvider(
  record: ConnectionRecord,
  policy: ConnectionPolicy,
): { provider: Provider; upstream: Upstream } {
  const upstream = createUpstream({
    name: record.name,
    url: record.url,
    headers: { ...toAuthorization(record), ...record.headers },
    secrets: secretsOf(record),
    connectMilliseconds: policy.connectMilliseconds(),
    firstByteMilliseconds: record.timeout_seconds * 1000,
    idleMilliseconds: policy.idleMilliseconds(),
    requireAllowed: () => {
      if (policy.isOffline() && !isNearby(record)) {
        throw unavailable(`The connection "${record.name}" is not used while offline mode is on.`, {
          code: 'offline',
        })
      }
    },
  })
  const options = { connectionId: record.id, name: record.name, type: typeOf(record), upstream }
  return { provider: PROVIDERS[record.kind](options), upstream }
}

/** Answers to the call for models that only a change of the connection can better. */
const REFUSALS: ReadonlySet<string> = new Set([
  'upstream_refused',
  'upstream_refused_key',
  'upstream_not_an_api',
  'upstream_redirect',
  'upstream_proxy',
])

export function createLiveConnection(
  record: ConnectionRecord,
  policy: ConnectionPolicy,
  memory: ModelsStore,
  onChange: () => void,
): LiveConnection {
  const { provider, upstream } = connectProvider(record, policy)
  const closing = new AbortController()
  const list = new ModelList({ record, provider, memory, log: policy.log })
  let askedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | null = null
  let changes = 0
  let refuses = false
  let state: Connection['state'] = {
    status: 'unknown',
    detail: null,
    model_count: 0,
    checked_at: null,
  }

  function accept(): void {
    state = { status: 'ok', detail: null, model_count: list.count, checked_at: nowSeconds() }
  }

  function reject(error: unknown): void {
    const canNotList = error instanceof ServiceError && error.code === 'upstream_refused'
    if (canNotList && record.kind !== 'runtime' && record.model_ids.length > 0) {
      list.takeNamed()
      return accept()
    }
    list.markUnavailable()
    refuses = error instanceof ServiceError && REFUSALS.has(error.code)
    const locked =
      'Its key cannot be read, because it was saved under another secret. Enter the key again.'
    const detail = record.isLocked
      ? locked
      : error instanceof ServiceError
        ? error.message
        : 'The model list could not be read.'
    state = { status: 'failed', detail, model_count: 0, checked_at: nowSeconds() }
  }

  async function ask(): Promise<void> {
    askedAt = performance.now()
    try {
      list.replace(await provider.listModels(closing.signal))
      accept()
    } catch (error) {
      reject(error)
    }
    running = null
    onChange()
  }

  const refresh = (): Promise<void> => (running ??= ask())

  return {
    record,
    provider,
    upstream,
    models: () => list.models,
    isListMissing: () =>
      list.models.length === 0 && state.status !== 'ok' && list.isRemembered && !refuses,
    state: () =>
      record.enabled ? state : { ...state, status: 'disabled', detail: null, model_count: 0 },
    age: () => (changes > 0 ? Number.POSITIVE_INFINITY : performance.now() - askedAt),
    isAsking: () => running !== null,
    refresh,
    async change(work) {
      changes += 1
      try {
        await work()
      } finally {
        changes -= 1
        askedAt = Number.NEGATIVE_INFINITY
        void refresh()
      }
    },
    async retire() {
      closing.abort()
      await upstream.retire()
    },
    async close(fault) {
      closing.abort()
      await upstream.close(fault)
    },
  }
}
