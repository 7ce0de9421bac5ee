import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { timedOut, upstreamFailed, type ServiceError } from '../../lib/errors.ts'
import type { CallNotes } from '../../lib/serving/call-notes.ts'
import { parseObjects } from '../../lib/json/mend-json.ts'
import {
  createOutgoingTarget,
  StaleConnectionError,
  type OutgoingReply,
  type OutgoingTarget,
} from '../../lib/outgoing/outgoing.ts'
import type { CallWait } from '../../lib/outgoing/call-wait.ts'
import { readFaultBody } from '../../lib/outgoing/read-fault.ts'
import { tracedTarget } from '../../lib/outgoing/trace-outgoing.ts'
import type { Detour } from '../../lib/outgoing/proxy-route.ts'
import { isTooDeep } from '../compatible/parse-frame.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { backoff, isFailure, retry, type Clock, type Failure } from './open-with-retries.ts'
import {
  callCancelled,
  isConnectFault,
  isUnreached,
  parseRetryAfter,
  toNetworkFault,
  toStatusFault,
  unreadable,
  type FaultContext,
} from './upstream-faults.ts'

export interface UpstreamOptions {
  readonly name: string
  /** Base URL, with or without a trailing slash. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Texts that must never appear in an error. */
  readonly secrets: readonly string[]
  readonly connectMilliseconds: number
  readonly firstByteMilliseconds: number
  readonly idleMilliseconds: number
  /** Throws if the connection may not be contacted now, for example in offline mode. */
  readonly requireAllowed: () => void
  /** Route to the URL, if it differs from that of all others. */
  readonly detour?: Detour
  readonly clock?: Clock
  /** Target that is called instead of the URL. */
  readonly target?: OutgoingTarget
}

export interface UpstreamRequest {
  readonly path: string
  readonly body: Buffer | string
  /** Headers of this call in addition to those of the connection, which take precedence. */
  readonly headers?: Readonly<Record<string, string>>
  /** True if a whole answer is requested: its first byte is sent when it is finished. */
  readonly isWhole?: boolean
  /** Records every attempt. */
  readonly notes?: CallNotes | null
  /** See `OutgoingRequest`. */
  readonly onWait?: (wait: CallWait) => void
}

/** Any call of a proxy. A streamed body is sent once; others may be sent again. */
export interface PassRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  readonly path: string
  readonly body: Buffer | string | Readable | null
  readonly isWhole?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Records every attempt. */
  readonly notes?: CallNotes | null
  /** See `OutgoingRequest`. */
  readonly onWait?: (wait: CallWait) => void
}

export interface ControlRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/**
 * Statuses that are retried once, unless the response states when to retry: the server behind the
 * URL is just starting or being replaced. A limit (429) is not retried: the caller has to slow
 * down. Neither are 408, 500 and 504: the work was done once in vain and may have been paid for,
 * and clients retry such calls themselves.
 */
const RETRY_STATUSES = new Set([502, 503])
const WHOLE_ANSWER_MILLISECONDS = 300_000
const CONTROL_MILLISECONDS = 30_000
/** Maximum size of a response that is checked for its nesting depth. */
const MOST_LOOKED_THROUGH = 2 * 1024 * 1024
const CONTROL_BYTES = 32 * 1024 * 1024

const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, null, { signal }).catch(() => null),
}

type Try = (attempt: number) => Promise<OutgoingReply | Failure>

const canRepeat = ({ body }: PassRequest): boolean =>
  body === null || typeof body === 'string' || Buffer.isBuffer(body)

/**
 * Server behind a connection: opens replies with retries and a circuit breaker, and turns every
 * failure into a `ServiceError`.
 */
export class Upstream {
  readonly faults: FaultContext
  readonly #options: UpstreamOptions
  readonly #clock: Clock
  readonly #target: OutgoingTarget
  readonly #breaker: CircuitBreaker
  readonly #basePath: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #bodyHeaders: Readonly<Record<string, string>>

  constructor(options: UpstreamOptions) {
    const { name, secrets, connectMilliseconds, clock = systemClock } = options
    const { origin, pathname } = new URL(options.url)
    this.#options = options
    this.#clock = clock
    this.faults = { name, secrets }
    const target =
      options.target ??
      createOutgoingTarget(origin, {
        connectMilliseconds,
        purpose: { kind: 'provider', name },
        detour: options.detour,
      })
    this.#target = tracedTarget(target, origin)
    this.#breaker = new CircuitBreaker({
      name,
      now: clock.now,
      probeMilliseconds: connectMilliseconds,
    })
    this.#basePath = pathname.replace(/\/+$/, '')
    this.#headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'chat-gateway',
      ...options.headers,
    }
    this.#bodyHeaders = { 'content-type': 'application/json', ...this.#headers }
  }

  /**
   * Opens a successful reply whose body is still to be read. Retries before the first byte, as the
   * upstream policy allows.
   */
  open(
    { path, body, headers, isWhole = false, notes, onWait }: UpstreamRequest,
    signal: AbortSignal,
  ): Promise<OutgoingReply> {
    const request: PassRequest = { method: 'POST', path, body, headers, isWhole, notes, onWait }
    return this.#open((attempt) => this.#tryOnce(request, signal, attempt), signal)
  }

  /** Opens the reply to any call, whatever its status; only network failures are thrown. */
  pass(request: PassRequest, signal: AbortSignal): Promise<OutgoingReply> {
    return this.#open((attempt) => this.#tryToPass(request, signal, attempt), signal)
  }

  /**
   * Sends a short call with a JSON response: one attempt unless its kept-alive connection was
   * closed, 30 seconds in total. A response closes the circuit.
   */
  async control(call: ControlRequest, signal: AbortSignal): Promise<unknown> {
    this.#options.requireAllowed()
    const limit = AbortSignal.timeout(CONTROL_MILLISECONDS)
    try {
      const reply = await this.#openControl(call, AbortSignal.any([signal, limit]))
      this.#breaker.reached()
      if (!isSuccess(reply)) throw await this.#readFault(reply)
      const bytes = await requireReadable(reply, this.faults).bytes(CONTROL_BYTES)
      return parseAnswer(bytes, this.faults)
    } catch (error) {
      if (limit.aborted && !signal.aborted) {
        throw timedOut(`The connection "${this.faults.name}" did not answer in time.`, {
          code: 'upstream_timeout',
          cause: error,
          facts: { connection: this.faults.name },
        })
      }
      throw toNetworkFault(error, this.faults)
    }
  }

  /** Accepts no new calls; running answers continue to their end. */
  retire(): Promise<void> {
    return this.#target.retire()
  }

  /** Cancels the running calls; with a fault, they fail with it. */
  close(fault?: ServiceError): Promise<void> {
    return this.#target.close(fault)
  }

  async #open(tryIt: Try, signal: AbortSignal): Promise<OutgoingReply> {
    this.#options.requireAllowed()
    const passage = this.#breaker.enter()
    const clock = this.#clock
    const started = clock.now()
    // Nearly every first attempt is the last one, so it costs nothing extra.
    const first = await tryIt(0)
    const result = isFailure(first) ? await retry(first, { tryIt, started, clock, signal }) : first
    if (!isFailure(result)) {
      passage.reached()
      return result
    }
    if (signal.aborted) {
      passage.leave()
      throw callCancelled()
    }
    if (isUnreached(result.fault)) passage.unreached()
    else passage.reached()
    throw result.fault
  }

  async #tryOnce(
    request: PassRequest,
    signal: AbortSignal,
    attempt: number,
  ): Promise<OutgoingReply | Failure> {
    const started = performance.now()
    let result: OutgoingReply | Failure
    try {
      const reply = await this.#send(request, signal, attempt)
      result = isSuccess(reply) ? requireReadable(reply, this.faults) : await this.#toFailure(reply)
    } catch (error) {
      result = this.#toNetworkFailure(error)
    }
    this.#note(request, started, result)
    return result
  }

  /**
   * Retries only after a stale kept-alive connection: callers of a proxy decide about other
   * failures.
   */
  async #tryToPass(
    request: PassRequest,
    signal: AbortSignal,
    attempt: number,
  ): Promise<OutgoingReply | Failure> {
    const started = performance.now()
    let result: OutgoingReply | Failure
    try {
      result = await this.#send(request, signal, attempt)
    } catch (error) {
      const failure = this.#toNetworkFailure(error)
      const mayRepeat = error instanceof StaleConnectionError && canRepeat(request)
      result = mayRepeat ? failure : { ...failure, retryAfterMilliseconds: null }
    }
    this.#note(request, started, result)
    return result
  }

  /** A second attempt gets a new connection: another kept-alive one may be equally stale. */
  #send(request: PassRequest, signal: AbortSignal, attempt: number): Promise<OutgoingReply> {
    const { firstByteMilliseconds, idleMilliseconds } = this.#options
    return this.#target.open(
      {
        method: request.method,
        path: this.#basePath + request.path,
        headers: this.#toHeaders(request),
        body: request.body,
        firstByteMilliseconds: request.isWhole
          ? Math.max(firstByteMilliseconds, WHOLE_ANSWER_MILLISECONDS)
          : firstByteMilliseconds,
        idleMilliseconds,
        onNewConnection: attempt > 0,
        onWait: request.onWait,
      },
      signal,
    )
  }

  #openControl(call: ControlRequest, signal: AbortSignal): Promise<OutgoingReply> {
    const hasBody = call.body !== undefined
    const request = {
      method: call.method,
      path: this.#basePath + call.path,
      headers: hasBody ? this.#bodyHeaders : this.#headers,
      body: hasBody ? JSON.stringify(call.body) : null,
      firstByteMilliseconds: CONTROL_MILLISECONDS,
      idleMilliseconds: CONTROL_MILLISECONDS,
    }
    return this.#target.open(request, signal).catch((error: unknown) => {
      if (error instanceof StaleConnectionError)
        return this.#target.open({ ...request, onNewConnection: true }, signal)
      throw error
    })
  }

  /** Merges the headers; those of the connection override those of a call. */
  #toHeaders({ headers, body }: PassRequest): Readonly<Record<string, string>> {
    const own =
      body === null || headers?.['content-type'] !== undefined ? this.#headers : this.#bodyHeaders
    return headers === undefined ? own : { ...headers, ...own }
  }

  /** Records an attempt in the log of calls. */
  #note(
    { notes, path, body }: PassRequest,
    started: number,
    result: OutgoingReply | Failure,
  ): void {
    const fault = isFailure(result) ? result.fault : null
    notes?.addAttempt({
      connection: this.faults.name,
      path,
      status: isFailure(result) ? (result.status ?? null) : result.status,
      error: fault && fault.code,
      milliseconds: performance.now() - started,
      body,
    })
  }

  /** A stale kept-alive connection is no sign of load, so the next attempt needs no pause. */
  #toNetworkFailure(error: unknown): Failure {
    const pause =
      error instanceof StaleConnectionError ? 0 : isConnectFault(error) ? backoff() : null
    return { fault: toNetworkFault(error, this.faults), retryAfterMilliseconds: pause }
  }

  async #toFailure(reply: OutgoingReply): Promise<Failure> {
    const { status, headers } = reply
    const fault = await this.#readFault(reply)
    const mayRetry =
      RETRY_STATUSES.has(status) && parseRetryAfter(headers['retry-after'], Date.now()) === null
    return { fault, status, retryAfterMilliseconds: mayRetry ? backoff() : null }
  }

  async #readFault(reply: OutgoingReply): Promise<ServiceError> {
    const body = await readFaultBody(reply)
    const { status, headers } = reply
    return toStatusFault({ status, headers, body: body.toString('utf8') }, this.faults)
  }
}

export const isSuccess = (reply: OutgoingReply): boolean =>
  reply.status >= 200 && reply.status < 300

/** Throws for compressed bodies and web pages, which were never requested. */
export function requireReadable(reply: OutgoingReply, context: FaultContext): OutgoingReply {
  const encoding = reply.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    reply.abort()
    throw upstreamFailed(
      `The connection "${context.name}" sent a compressed answer although none was asked for.`,
    )
  }
  if (/^text\/html/i.test(reply.headers['content-type'] ?? '')) {
    reply.abort()
    throw notAnApi(context)
  }
  return reply
}

export function notAnApi(context: FaultContext): ServiceError {
  return upstreamFailed(
    `The connection "${context.name}" answered with something that is not its API. Check the address; many need /v1 at the end.`,
    { code: 'upstream_not_an_api' },
  )
}

/** Throws 502 for JSON whose values are nested too deeply to be written again. */
export function requireShallow(text: string, context: FaultContext): void {
  if (text.length <= MOST_LOOKED_THROUGH && isTooDeep(text)) throw unreadable(context)
}

/** Parses the JSON response of an upstream; throws 502 with advice if it is not JSON. */
export function parseAnswer(bytes: Buffer, context: FaultContext): unknown {
  const text = bytes.toString('utf8').trim()
  requireShallow(text, context)
  try {
    return JSON.parse(text)
  } catch {
    const [value, other] = parseObjects(text) ?? []
    if (!value || other) throw notAnApi(context)
    return value
  }
}
