import { setTimeout as sleep } from 'node:timers/promises'
import { timedOut, upstreamFailed, type ServiceError } from '../lib/errors.ts'
import { createOutgoingTarget, type OutgoingReply, type OutgoingTarget } from '../lib/outgoing.ts'
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts'
import { backoff, isFailure, openWithRetries, type Clock, type Failure } from './open-with-retries.ts'
import { callCancelled, isConnectFault, parseRetryAfter, toNetworkFault, toStatusFault, type FaultContext } from './upstream-faults.ts'

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
  /** True when a whole answer is asked for: its first byte comes when it is finished. */
  readonly isWhole?: boolean
}

export interface ControlRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
}

/** One connection's other side: opens replies with retries and a circuit breaker, and turns every failure into a `ServiceError`. */
export interface Upstream {
  readonly faults: FaultContext
  /** A successful reply whose body is still to be read. Retries before the first byte, as the upstream policy allows. */
  open(request: UpstreamRequest, signal: AbortSignal): Promise<OutgoingReply>
  /** A short call with a JSON answer: one try, 30 seconds in all. A success closes the circuit. */
  control(request: ControlRequest, signal: AbortSignal): Promise<unknown>
  /** Takes no new calls; answers under way go on to their end. */
  retire(): Promise<void>
  close(): Promise<void>
}

const RETRY_STATUSES = new Set([408, 429, 500, 502, 503, 504])
const WHOLE_ANSWER_MILLISECONDS = 300_000
const CONTROL_MILLISECONDS = 30_000
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
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'chat-gateway', ...options.headers }
  const line: Line = {
    options,
    target: createOutgoingTarget(origin, { connectMilliseconds: options.connectMilliseconds }),
    breaker: createCircuitBreaker(options.name, clock.now),
    faults: { name: options.name, secrets: options.secrets },
    basePath: pathname.replace(/\/+$/, ''),
    headers,
    bodyHeaders: { 'content-type': 'application/json', ...headers },
  }
  return {
    faults: line.faults,
    open: (request, signal) => open(line, request, clock, signal),
    control: (request, signal) => control(line, request, signal),
    retire: () => line.target.retire(),
    close: () => line.target.close(),
  }
}

async function open(line: Line, request: UpstreamRequest, clock: Clock, signal: AbortSignal): Promise<OutgoingReply> {
  const { breaker } = line
  line.options.requireAllowed()
  breaker.enter()
  const result = await openWithRetries((attempt) => tryOnce(line, request, signal, attempt), clock, signal)
  if (!isFailure(result)) {
    breaker.succeed()
    return result
  }
  if (signal.aborted) {
    breaker.leave()
    throw callCancelled()
  }
  if (result.countsAgainst) breaker.fail()
  else breaker.succeed()
  throw result.fault
}

async function tryOnce(line: Line, request: UpstreamRequest, signal: AbortSignal, attempt: number): Promise<OutgoingReply | Failure> {
  const { options } = line
  const patience = options.firstByteMilliseconds
  try {
    const reply = await line.target.open(
      {
        method: 'POST',
        path: line.basePath + request.path,
        headers: line.bodyHeaders,
        body: request.body,
        firstByteMilliseconds: request.isWhole ? Math.max(patience, WHOLE_ANSWER_MILLISECONDS) : patience,
        idleMilliseconds: options.idleMilliseconds,
      },
      signal,
    )
    if (isSuccess(reply)) return requireReadable(reply, line.faults)
    return await toFailure(line, reply, attempt)
  } catch (error) {
    const mayRetry = isConnectFault(error)
    return { fault: toNetworkFault(error, line.faults), retryAfterMilliseconds: mayRetry ? backoff(attempt) : null, countsAgainst: true }
  }
}

async function toFailure(line: Line, reply: OutgoingReply, attempt: number): Promise<Failure> {
  const { status, headers } = reply
  const fault = await readFault(line, reply)
  const asked = parseRetryAfter(headers['retry-after'], Date.now())
  const wait = asked === null ? backoff(attempt) : asked * 1000
  return { fault, retryAfterMilliseconds: RETRY_STATUSES.has(status) ? wait : null, countsAgainst: status >= 500 }
}

async function readFault(line: Line, reply: OutgoingReply): Promise<ServiceError> {
  const timer = setTimeout(() => reply.abort(), FAULT_MILLISECONDS)
  const body = await reply.bytes(FAULT_BYTES).catch(() => Buffer.alloc(0))
  clearTimeout(timer)
  return toStatusFault({ status: reply.status, headers: reply.headers, body: body.toString('utf8') }, line.faults)
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
    const reply = await line.target.open(request, AbortSignal.any([signal, limit]))
    if (!isSuccess(reply)) throw await readFault(line, reply)
    const answer = parseAnswer(await requireReadable(reply, line.faults).bytes(CONTROL_BYTES), line.faults)
    line.breaker.succeed()
    return answer
  } catch (error) {
    if (limit.aborted && !signal.aborted) {
      throw timedOut(`The connection "${line.options.name}" did not answer in time.`, { code: 'upstream_timeout', cause: error })
    }
    throw toNetworkFault(error, line.faults)
  }
}

const isSuccess = (reply: OutgoingReply): boolean => reply.status >= 200 && reply.status < 300

/** Refuses what was never asked for: compressed bodies and web pages. */
function requireReadable(reply: OutgoingReply, context: FaultContext): OutgoingReply {
  const encoding = reply.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    reply.abort()
    throw upstreamFailed(`The connection "${context.name}" sent a compressed answer although none was asked for.`)
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
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw notAnApi(context)
  }
}
