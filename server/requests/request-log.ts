import { mapInOrder } from '../lib/in-order.ts'
import type { IncomingMessage } from 'node:http'
import type { RequestDetail, RequestFilter, RequestRecord } from '#contract/requests.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { Auth } from '../auth/index.ts'
import { notFound } from '../lib/errors.ts'
import type { HttpCall, ServeOptions } from '../lib/http.ts'
import { countTokens } from '../lib/tally.ts'
import type { GatewaySettings, Settings } from '../settings/index.ts'
import { toDetail, toRecord, type KeyName } from './describe-call.ts'
import { toTest } from './filter-calls.ts'
import { readUsage } from './read-usage.ts'
import { RecentCalls } from './recent-calls.ts'
import { Recording, type CallEntry, type CallSink } from './record-call.ts'
import { replayCall, type Replayed } from './replay-call.ts'
import { createStreams, type Streams } from './stream-calls.ts'

/** Dependencies of the log. */
export interface RequestLogDependencies {
  readonly settings: Settings<
    'ENABLE_REQUEST_LOG' | 'ENABLE_REQUEST_LOG_BODIES' | 'REQUEST_LOG_SIZE' | 'WEBUI_URL'
  > &
    Pick<GatewaySettings, 'onChange'>
  readonly auth: Auth
}

/** Calls that would only displace others: polling, and reading the log itself. */
const UNRECORDED =
  /^(system\.(health|healthDatabase|ready)|requests\..+|sharing\.(status|devices|passes|ownPass))$/
/**
 * Endpoints whose bodies are secrets: passwords, tokens, provider keys, and settings whose names are
 * chosen by the authors of plugins and tool servers.
 */
const SECRET_BODIES =
  /^((auths|ldap|scim|settings|configs|connections|sharing|users|webhooks|toolServers)\.|\w+Proxy\.(config|updateConfig|verify)$|functions\.(export|sync)$|\w+\.\w*valves$)/i

function countUsage({ notes, status, model, end }: CallEntry): void {
  if (notes.isOwned || status >= 400 || model === null) return
  const usage = readUsage(end)
  if (usage) countTokens({ input: usage.prompt_tokens ?? 0, output: usage.completion_tokens ?? 0 })
}

/**
 * Returns a function that reports whether calls of an endpoint are recorded, computed once per
 * endpoint.
 */
function createSelection(): (endpoint: AnyEndpoint) => boolean {
  const known = new Map<AnyEndpoint, boolean>()
  return (endpoint) => {
    const isRecorded = known.get(endpoint) ?? !UNRECORDED.test(endpoint.id)
    known.set(endpoint, isRecorded)
    return isRecorded
  }
}

/**
 * The most recent API calls, in memory only: nothing is written to the disk, and nothing is kept if
 * switched off. Records are formatted only on request.
 */
export class RequestLog {
  readonly #settings: RequestLogDependencies['settings']
  readonly #keyName: KeyName
  readonly #entries = new RecentCalls()
  readonly #listeners = new Set<(record: RequestRecord) => void>()
  readonly #isRecorded = createSelection()
  readonly streams: Streams
  readonly #sink: CallSink
  #lastSeq = 0
  #isOn = false
  #keepsBodies = false
  #isCounting = false
  /** Keeps the order in which the calls ended, although each waits for the name of its key. */
  #told = Promise.resolve()

  constructor({ settings, auth }: RequestLogDependencies) {
    this.#settings = settings
    this.#keyName = async ({ userId, keyId }) =>
      keyId === null ? null : await auth.keyName(userId, keyId)
    this.#sink = { nextSeq: () => (this.#lastSeq += 1), add: (entry) => this.#add(entry) }
    this.streams = createStreams(auth)
    this.#readSettings()
    settings.onChange(async () => this.#readSettings())
  }

  /** See `ServeOptions`. */
  readonly record: NonNullable<ServeOptions['record']> = (endpoint, exchange) =>
    this.#isOn && this.#isRecorded(endpoint)
      ? new Recording(endpoint, exchange, {
          keepsBodies: this.#keepsBodies && !SECRET_BODIES.test(endpoint.id),
          sink: this.#sink,
        })
      : null

  /**
   * Newest first; with `after` only those recorded after that number. `total` counts all matches.
   */
  async list({
    after = 0,
    limit,
    ...filter
  }: RequestFilter & { after?: number; limit: number }): Promise<{
    items: RequestRecord[]
    total: number
  }> {
    const found = await mapInOrder(
      this.#entries.list().filter(({ seq }) => seq > after),
      (entry) => toRecord(entry, this.#keyName),
    )
    const fitting = found.filter(toTest(filter)).toReversed()
    return { items: fitting.slice(0, limit), total: fitting.length }
  }

  /** Throws 404 for a call that is not, or no longer, in the log. */
  get(id: string, request: IncomingMessage): Promise<RequestDetail> {
    return toDetail(this.#find(id), { keyName: this.#keyName, origin: this.#originOf(request) })
  }

  replay(call: HttpCall, id: string, model: string | undefined): Promise<Replayed> {
    return replayCall(call, this.#find(id), model)
  }

  /** Returns the current recording options. */
  state(): { enabled: boolean; bodies: boolean; size: number } {
    return {
      enabled: this.#isOn,
      bodies: this.#isOn && this.#keepsBodies,
      size: this.#settings.get('REQUEST_LOG_SIZE'),
    }
  }

  clear(): void {
    this.#entries.clear()
  }

  /** Registers a listener for finished calls; returns the function that removes it. */
  subscribe(listener: (record: RequestRecord) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Starts counting the tokens of answers that are not stored in a chat, as far as responses report
   * them.
   */
  countTokens(): void {
    this.#isCounting = true
  }

  /** Ends all live streams. */
  close(): void {
    this.streams.close()
  }

  #readSettings(): void {
    this.#isOn = this.#settings.get('ENABLE_REQUEST_LOG')
    this.#keepsBodies = this.#settings.get('ENABLE_REQUEST_LOG_BODIES')
    if (!this.#isOn) this.#entries.clear()
    this.#entries.limit(this.#settings.get('REQUEST_LOG_SIZE'))
  }

  #add(entry: CallEntry): void {
    if (!this.#isOn) return
    this.#entries.add(entry)
    if (this.#isCounting) countUsage(entry)
    if (this.#listeners.size === 0) return
    this.#told = this.#told.then(() => this.#tell(entry)).catch(() => undefined)
  }

  async #tell(entry: CallEntry): Promise<void> {
    const record = await toRecord(entry, this.#keyName)
    for (const listener of this.#listeners) listener(record)
  }

  #find(id: string): CallEntry {
    const entry = this.#entries.find(id)
    if (!entry)
      throw notFound('This call is not in the log any more. It keeps the last calls only.')
    return entry
  }

  /** Returns the URL at which the client reaches the gateway, for the curl line of a call. */
  #originOf({ headers }: IncomingMessage): string {
    return (
      this.#settings.get('WEBUI_URL').replace(/\/$/, '') || `http://${headers.host ?? 'localhost'}`
    )
  }
}
