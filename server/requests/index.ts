import { mapInOrder } from '../lib/in-order.ts'
import type { IncomingMessage } from 'node:http'
import type { RequestRecord } from '#contract/requests.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { Auth } from '../auth/index.ts'
import { notFound } from '../lib/errors.ts'
import type { HttpCall } from '../lib/http.ts'
import type { GatewaySettings, Settings } from '../settings/index.ts'
import { toDetail, toRecord, type KeyName } from './describe-call.ts'
import { toTest } from './filter-calls.ts'
import { RecentCalls } from './recent-calls.ts'
import { Recording, type CallEntry } from './record-call.ts'
import { replayCall } from './replay-call.ts'
import { createRequestRoutes } from './routes.ts'
import { createStreams } from './stream-calls.ts'
import type { RequestLog } from './request-log.ts'

export type { RequestLog } from './request-log.ts'

/** What the log is built from. */
export interface RequestLogDependencies {
  readonly settings: Settings<
    'ENABLE_REQUEST_LOG' | 'ENABLE_REQUEST_LOG_BODIES' | 'REQUEST_LOG_SIZE' | 'WEBUI_URL'
  > &
    Pick<GatewaySettings, 'onChange'>
  readonly auth: Pick<Auth, 'onRevoked' | 'keyName'>
}

/** Calls that would only push others out: what polls, and what reads the log itself. */
const UNRECORDED =
  /^(system\.(health|healthDatabase|ready)|requests\..+|sharing\.(status|devices|passes|ownPass))$/
/** Endpoints whose bodies are secrets: passwords, tokens, keys of providers. */
const SECRET_BODIES =
  /^((auths|ldap|scim|settings|configs|connections|sharing|users|webhooks)\.|\w+Proxy\.(config|updateConfig|verify)$)/

/** Whether calls of an endpoint are recorded, looked up once for each. */
function createSelection(): (endpoint: AnyEndpoint) => boolean {
  const known = new Map<AnyEndpoint, boolean>()
  return (endpoint) => {
    const isRecorded = known.get(endpoint) ?? !UNRECORDED.test(endpoint.id)
    known.set(endpoint, isRecorded)
    return isRecorded
  }
}

/** Builds the log. Records are brought into words only when somebody looks. */
export function createRequestLog({ settings, auth }: RequestLogDependencies): RequestLog {
  const keyName: KeyName = async ({ userId, keyId }) =>
    keyId === null ? null : await auth.keyName(userId, keyId)
  const entries = new RecentCalls()
  const listeners = new Set<(record: RequestRecord) => void>()
  const isRecorded = createSelection()
  let lastSeq = 0
  let isOn = false
  let keepsBodies = false

  function readSettings(): void {
    isOn = settings.get('ENABLE_REQUEST_LOG')
    keepsBodies = settings.get('ENABLE_REQUEST_LOG_BODIES')
    if (!isOn) entries.clear()
    entries.limit(settings.get('REQUEST_LOG_SIZE'))
  }
  // In the order in which the calls ended, though each waits for the name of its key.
  let told = Promise.resolve()
  async function tell(entry: CallEntry): Promise<void> {
    const record = await toRecord(entry, keyName)
    for (const listener of listeners) listener(record)
  }
  const sink = {
    nextSeq: () => (lastSeq += 1),
    add(entry: CallEntry) {
      if (!isOn) return
      entries.add(entry)
      if (listeners.size === 0) return
      told = told.then(() => tell(entry)).catch(() => undefined)
    },
  }
  function find(id: string): CallEntry {
    const entry = entries.find(id)
    if (!entry)
      throw notFound('This call is not in the log any more. It keeps the last calls only.')
    return entry
  }

  readSettings()
  settings.onChange(async () => readSettings())
  const streams = createStreams(auth)
  const log: Omit<RequestLog, 'routes'> = {
    record: (endpoint, exchange) =>
      isOn && isRecorded(endpoint)
        ? new Recording(endpoint, exchange, {
            keepsBodies: keepsBodies && !SECRET_BODIES.test(endpoint.id),
            sink,
          })
        : null,
    async list({ after = 0, limit, ...filter }) {
      const test = toTest(filter)
      const found = await mapInOrder(
        entries.list().filter(({ seq }) => seq > after),
        (entry) => toRecord(entry, keyName),
      )
      const fitting = found.filter(test).toReversed()
      return { items: fitting.slice(0, limit), total: fitting.length }
    },
    get: (id, origin) => toDetail(find(id), { keyName, origin }),
    clear: () => entries.clear(),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => streams.close(),
  }
  const state = () => ({
    enabled: isOn,
    bodies: isOn && keepsBodies,
    size: settings.get('REQUEST_LOG_SIZE'),
  })
  const originOf = ({ headers }: IncomingMessage) =>
    settings.get('WEBUI_URL').replace(/\/$/, '') || `http://${headers.host ?? 'localhost'}`
  const replay = (call: HttpCall, id: string, model: string | undefined) =>
    replayCall(call, find(id), model)
  return { ...log, routes: createRequestRoutes({ log, streams, state, originOf, replay }) }
}
