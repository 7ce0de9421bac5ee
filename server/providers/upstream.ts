import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { timedOut, upstreamFailed, type ServiceError } from '../lib/errors.ts'
import type { CallNotes } from '../lib/call-notes.ts'
import { parseObjects } from '../lib/mend-json.ts'
import {
  createOutgoingTarget,
  StaleConnectionError,
  type OutgoingReply,
  type OutgoingTarget,
} from '../lib/outgoing.ts'
import { isTooDeep } from './compatible/parse-frame.ts'
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts'
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
  /** Base address, with or without a slash at its end. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Texts that may never appear in an error. */
  readonly secrets: readonly string[]
  readonly connectMilliseconds: number
  readonly firstByteMilliseconds: number
  readonly idleMilliseconds: number
  /** Throws when the connection may not be contacted now, such as in offline mode. */
  readonly requireAllowed: () => void
  readonly clock?: Clock
}

export interface UpstreamRequest {
  readonly path: string
  readonly body: Buffer | string
  /** Headers of this call besides those of the connection, which win. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** True when a whole answer is asked for: its first byte comes when it is finished. */
  readonly isWhole?: boolean
  /** Hears of every try. */
  readonly notes?: CallNotes | null | undefined
}

/**
 * Any call of a proxy. A body that is a stream is sent once; all others are sent again while
 * nothing has come back.
 */
export interface PassRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body: Buffer | string | Readable | null
  readonly isWhole?: boolean
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Hears of every try. */
  readonly notes?: CallNotes | null | undefined
}

export interface ControlRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/**
 * One connection's other side: opens replies with retries and a circuit breaker, and turns every
 * failure into a `ServiceError`.
 */
export interface Upstream {
  readonly faults: FaultContext
  /**
   * A successful reply whose body is still to be read. Retries before the first byte, as the
   * upstream policy allows.
   */
  open(request: UpstreamRequest, signal: AbortSignal): Promise<OutgoingReply>
  /** The reply to any call, whatever its status; only failures of the network are thrown. */
  pass(request: PassRequest, signal: AbortSignal): Promise<OutgoingReply>
  /**
   * A short call with a JSON answer: one try unless its kept-alive connection was closed, 30
   * seconds in all. An answer closes the circuit.
   */
  control(request: ControlRequest, signal: AbortSignal): Promise<unknown>
  /** Takes no new calls; answers under way go on to their end. */
  retire(): Promise<void>
  /** Ends the calls under way; with a fault it is what they fail with. */
  close(fault?: ServiceError): Promise<void>
}

/**
 * Answers that are tried once more, unless they say when to come back: the server behind the
 * address is just starting or being replaced. A limit (429) is not: the caller has to slow down.
 * Neither are 408, 500 and 504: the work was done once in vain and may have been paid for, and
 * clients repeat such calls themselves.
 */
const RETRY_STATUSES = new Set([502, 503])
const WHOLE_ANSWER_MILLISECONDS = 300_000
const CONTROL_MILLISECONDS = 30_000
/** Of an answer, for nesting. */
const MOST_LOOKED_THROUGH = 2 * 1024 * 1024
const CONTROL_BYTES = 32 * 1024 * 1024
const FAULT_BYTES = 64 * 1024
const FAULT_MILLISECONDS = 5000

const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, null, { signal }).catch(() => null),
}

/** What every call of one upstream shares. */
interface Line {
  readonly options: UpstreamOptions
  readonly target: OutgoingTarget
  readonly breaker: CircuitBreaker
  readonly faults: FaultContext
  readonly basePath: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyHeaders: Readonly<Record<string, string>>
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const clock = options.clock ?? systemClock
  const { origin, pathname } = new URL(options.url)
  const headers = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'chat-gateway',
    ...options.headers,
  }
  const line: Line = {
    options,
    target: createOutgoingTarget(origin, { connectMilliseconds: options.connectMilliseconds }),
    breaker: createCircuitBreaker({
      name: options.name,
      now: clock.now,
      probeMilliseconds: options.connectMilliseconds,
    }),
    faults: { name: options.name, secrets: options.secrets },
    basePath: pathname.replace(/\/+$/, ''),
    headers,
    bodyHeaders: { 'content-type': 'application/json', ...headers },
  }
  return {
    faults: line.faults,
    open: ({ path, body, headers: own, isWhole = false, notes }, signal) => {
      const request: PassRequest = { method: 'POST', path, body, headers: own, isWhole, notes }
      return open(line, (attempt) => tryOnce(line, request, signal, attempt), clock, signal)
    },
    pass: (request, signal) =>
      open(line, (attempt) => tryToPass(line, request, signal, attempt), clock, signal),
    control: (request, signal) => control(line, request, signal),
    retire: () => line.target.retire(),
    close: (fault) => line.target.close(fault),
  }
}

type Try = (attempt: number) => Promise<OutgoingReply | Failure>

async function open(
  line: Line,
  tryIt: Try,
  clock: Clock,
  signal: AbortSignal,
): Promise<OutgoingReply> {
  line.options.requireAllowed()
  const passage = line.breaker.enter()
  const started = clock.now()
  // Nearly every first try is the last one, which costs no more than that.
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

/** Notes how a try went for whoever reads the log of calls. */
function note(
  { options }: Line,
  { notes, path, body }: PassRequest,
  started: number,
  result: OutgoingReply | Failure,
): void {
  const fault = isFailure(result) ? result.fault : null
  notes?.addAttempt({
    connection: options.name,
    path,
    status: isFailure(result) ? (result.status ?? null) : result.status,
    error: fault && fault.code,
    milliseconds: performance.now() - started,
    body,
  })
}

/** The connection's own headers win over those of a call. */
function toHeaders(line: Line, { headers, body }: PassRequest): Readonly<Record<string, string>> {
  const own =
    body === null || headers?.['content-type'] !== undefined ? line.headers : line.bodyHeaders
  return headers === undefined ? own : { ...headers, ...own }
}

/**
 * Another try gets a connection of its own: a second one that was kept alive may be closed by the
 * other side just as the first.
 */
function send(
  line: Line,
  request: PassRequest,
  signal: AbortSignal,
  attempt: number,
): Promise<OutgoingReply> {
  const { options } = line
  const patience = options.firstByteMilliseconds
  return line.target.open(
    {
      method: request.method,
      path: line.basePath + request.path,
      headers: toHeaders(line, request),
      body: request.body,
      firstByteMilliseconds: request.isWhole
        ? Math.max(patience, WHOLE_ANSWER_MILLISECONDS)
        : patience,
      idleMilliseconds: options.idleMilliseconds,
      onNewConnection: attempt > 0,
    },
    signal,
  )
}

/**
 * A kept-alive connection that turned out to be closed says nothing about how busy the other side
 * is: no pause is needed.
 */
function toNetworkFailure(line: Line, error: unknown): Failure {
  const pause = error instanceof StaleConnectionError ? 0 : isConnectFault(error) ? backoff() : null
  return { fault: toNetworkFault(error, line.faults), retryAfterMilliseconds: pause }
}

async function tryOnce(
  line: Line,
  request: PassRequest,
  signal: AbortSignal,
  attempt: number,
): Promise<OutgoingReply | Failure> {
  const started = performance.now()
  let result: OutgoingReply | Failure
  try {
    const reply = await send(line, request, signal, attempt)
    result = isSuccess(reply) ? requireReadable(reply, line.faults) : await toFailure(line, reply)
  } catch (error) {
    result = toNetworkFailure(line, error)
  }
  note(line, request, started, result)
  return result
}

const canRepeat = ({ body }: PassRequest): boolean =>
  body === null || typeof body === 'string' || Buffer.isBuffer(body)

/**
 * Only a kept-alive connection that turned out to be closed is worth another try: callers of a
 * proxy decide about all others.
 */
async function tryToPass(
  line: Line,
  request: PassRequest,
  signal: AbortSignal,
  attempt: number,
): Promise<OutgoingReply | Failure> {
  const started = performance.now()
  let result: OutgoingReply | Failure
  try {
    result = await send(line, request, signal, attempt)
  } catch (error) {
    const failure = toNetworkFailure(line, error)
    const mayRepeat = error instanceof StaleConnectionError && canRepeat(request)
    result = mayRepeat ? failure : { ...failure, retryAfterMilliseconds: null }
  }
  note(line, request, started, result)
  return result
}

async function toFailure(line: Line, reply: OutgoingReply): Promise<Failure> {
  const { status, headers } = reply
  const fault = await readFault(line, reply)
  const mayRetry =
    RETRY_STATUSES.has(status) && parseRetryAfter(headers['retry-after'], Date.now()) === null
  return { fault, status, retryAfterMilliseconds: mayRetry ? backoff() : null }
}

async function readFault(line: Line, reply: OutgoingReply): Promise<ServiceError> {
  const body = await readFaultBody(reply)
  return toStatusFault(
    { status: reply.status, headers: reply.headers, body: body.toString('utf8') },
    line.faults,
  )
}

/** The body of a failed call; empty when it is too long or does not come soon. */
export async function readFaultBody(reply: OutgoingReply): Promise<Buffer> {
  const timer = setTimeout(() => reply.abort(), FAULT_MILLISECONDS)
  const body = await reply.bytes(FAULT_BYTES).catch(() => Buffer.alloc(0))
  clearTimeout(timer)
  return body
}

async function control(line: Line, call: ControlRequest, signal: AbortSignal): Promise<unknown> {
  line.options.requireAllowed()
  const hasBody = call.body !== undefined
  const limit = AbortSignal.timeout(CONTROL_MILLISECONDS)
  const request = {
    method: call.method,
    path: line.basePath + call.path,
    headers: hasBody ? line.bodyHeaders : line.headers,
    body: hasBody ? JSON.stringify(call.body) : null,
    firstByteMilliseconds: CONTROL_MILLISECONDS,
    idleMilliseconds: CONTROL_MILLISECONDS,
  }
  try {
    const either = AbortSignal.any([signal, limit])
    const reply = await line.target.open(request, either).catch((error: unknown) => {
      if (error instanceof StaleConnectionError)
        return line.target.open({ ...request, onNewConnection: true }, either)
      throw error
    })
    line.breaker.reached()
    if (!isSuccess(reply)) throw await readFault(line, reply)
    return parseAnswer(await requireReadable(reply, line.faults).bytes(CONTROL_BYTES), line.faults)
  } catch (error) {
    if (limit.aborted && !signal.aborted) {
      throw timedOut(`The connection "${line.options.name}" did not answer in time.`, {
        code: 'upstream_timeout',
        cause: error,
      })
    }
    throw toNetworkFault(error, line.faults)
  }
}

export const isSuccess = (reply: OutgoingReply): boolean =>
  reply.status >= 200 && reply.status < 300

/** Refuses what was never asked for: compressed bodies and web pages. */
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

/** Parses the JSON answer of an upstream; 502 with advice when it is none. */
export function parseAnswer(bytes: Buffer, context: FaultContext): unknown {
  const text = bytes.toString('utf8').trim()
  if (bytes.length <= MOST_LOOKED_THROUGH && isTooDeep(text)) throw unreadable(context)
  try {
    return JSON.parse(text)
  } catch {
    const [value, other] = parseObjects(text) ?? []
    if (!value || other) throw notAnApi(context)
    return value
  }
}
