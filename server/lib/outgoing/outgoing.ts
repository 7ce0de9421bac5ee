import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Pool } from 'undici'
import { ByteGatherer } from '../bytes/byte-gatherer.ts'
import { HttpClient, type HttpRequest } from '../fast/http-client.ts'
import type { ReplyController, ReplyHandler } from '../fast/http-connection.ts'
import { loadPool } from '../fast/load-pool.ts'
import { createConnector } from './connector.ts'
import { PacedDelivery, toError, type PieceSource, type ReplySink } from './paced-delivery.ts'
import { createStraightCheck, NO_DETOUR, type Detour } from './proxy-route.ts'
import { because, type Purpose } from './purpose.ts'
import { skipContinue } from './skip-continue.ts'
import type { CallWait } from './call-wait.ts'

/** Request to another server. Only `host` and the length of the body are added to its headers. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string | Readable | null
  readonly firstByteMilliseconds: number
  /** Maximum silence between two chunks of the reply. */
  readonly idleMilliseconds: number
  /** True to open a separate connection for this request instead of reusing a kept-alive one. */
  readonly onNewConnection?: boolean
  /** Called before the head of the reply by a target that knows why its caller waits. */
  readonly onWait?: (wait: CallWait) => void
}

/**
 * Reply whose head has arrived. Its body waits until one of `read`, `chunks` or `bytes` is called.
 */
export interface OutgoingReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  read(sink: ReplySink): void
  /** Yields the body in chunks; leaving the loop early closes the connection. */
  chunks(): AsyncGenerator<Buffer, void, void>
  /**
   * Reads the whole body; fails with `ReplyTooLargeError` beyond `limit`. `watch` is called with
   * each piece as it arrives.
   */
  bytes(limit: number, watch?: (piece: Buffer) => void): Promise<Buffer>
  /** Pauses the upstream until `resume`. */
  pause(): void
  resume(): void
  /** Closes the connection at once; has no effect after the end. */
  abort(): void
}

export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError'
}

export class OutgoingAbortedError extends Error {
  override readonly name = 'OutgoingAbortedError'
}

/**
 * The server closed a kept-alive connection while the request was sent on it: earlier requests were
 * answered there, and no byte was received for this one. `code` is that of the cause.
 */
export class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError'
  readonly code: string

  constructor(cause: Error & { code: string }) {
    super('A kept-alive connection was closed by the other side.', { cause })
    this.code = cause.code
  }
}

/** Keep-alive connections to one origin. */
export interface OutgoingTarget {
  /** Resolves with the head of the reply, whatever its status; redirects are not followed. */
  open(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingReply>
  /** Accepts no new requests and closes when the running ones have ended. */
  retire(): Promise<void>
  /** Closes at once, including running requests, which fail with `reason` if one is given. */
  close(reason?: Error): Promise<void>
}

/**
 * Number of running callbacks of an HTTP parser. undici's parser is shared by all connections and
 * asserts that it is not used meanwhile.
 */
let parsing = 0

/**
 * Runs work that affects the parser only once the parser has returned; a failed assertion inside it
 * ends the process.
 */
function outsideParser(work: () => void): void {
  if (parsing === 0) work()
  else queueMicrotask(work)
}

/** Headers that are read as a single text. Of a repeated one, the first value counts. */
const READ_AS_TEXT = ['content-type', 'content-length', 'content-encoding', 'retry-after'] as const

function withSingleTexts(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const name of READ_AS_TEXT) {
    const value: unknown = headers[name]
    if (Array.isArray(value)) headers[name] = String(value[0])
  }
  return headers
}

const LOST_CONNECTION = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Errors of connections that had received bytes before. */
const ofUsedConnections = new WeakSet<Error>()

/**
 * @NOTE Added before the listeners that report errors to the requests, so that it has run by then.
 *   For TLS only the inner socket counts.
 */
function noteUse(socket: Socket): void {
  socket.prependListener('error', (error) => {
    if (socket.bytesRead > 0) ofUsedConnections.add(error)
  })
}

/**
 * Reports whether an error means a stale connection; meaningful only for a request for which no
 * byte has arrived.
 */
function isStale(error: Error): error is Error & { code: string } {
  return 'code' in error && LOST_CONNECTION.has(String(error.code)) && ofUsedConnections.has(error)
}

type Settle = { resolve: (reply: OutgoingReply) => void; reject: (error: Error) => void }

/**
 * Running request and then its reply. A class, because one is created per call on the hottest path.
 */
class Exchange implements OutgoingReply, PieceSource, ReplyHandler {
  status = 0
  headers: IncomingHttpHeaders = {}
  #controller: ReplyController | null = null
  readonly #delivery = new PacedDelivery(this)
  #hasBegun = false
  /** True if the server has sent everything. */
  #hasEnded = false
  #failure: Error | null = null
  readonly #settle: Settle
  readonly #signal: AbortSignal
  // @NOTE Node keeps listeners that are objects in a weak map, which is cleared only by a full
  //   garbage collection: with one of these each call outlived its end together with everything it
  //   referenced.
  readonly #onAbort = (): void => this.abort()

  constructor(settle: Settle, signal: AbortSignal) {
    this.#settle = settle
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort)
  }

  onRequestStart(controller: ReplyController): void {
    this.#controller = controller
    if (this.#failure) controller.abort(this.#failure)
  }

  /** Called when the first byte has arrived, of any head. */
  onResponseStarted(): void {
    this.#hasBegun = true
  }

  onResponseStart(_: ReplyController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.status = status
    this.headers = withSingleTexts(headers)
    this.#settle.resolve(this)
  }

  room(length: number): Buffer | null {
    return this.#delivery.room(length)
  }

  onResponseData(_: ReplyController, chunk: Buffer): void {
    parsing += 1
    this.#delivery.push(chunk)
    parsing -= 1
  }

  /**
   * @NOTE The parser still reports the end of a reply that was aborted while its last bytes were
   *   read.
   */
  onResponseEnd(): void {
    if (this.#failure) return
    this.#hasEnded = true
    parsing += 1
    this.#delivery.end()
    parsing -= 1
  }

  onResponseError(_: ReplyController | null, error: Error): void {
    if (this.#hasEnded) return
    this.#fail(!this.#hasBegun && isStale(error) ? new StaleConnectionError(error) : error)
    this.#delivery.fail(this.#failure!)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#settle.reject(error)
  }

  hold(): void {
    this.#controller?.pause()
  }

  goOn(): void {
    if (this.#controller?.paused && !this.#hasEnded && !this.#failure)
      outsideParser(() => this.#controller?.resume())
  }

  breakOff(cause: unknown): void {
    const error = toError(cause)
    this.#fail(error)
    this.settle()
    this.#delivery.drop(error)
    if (!this.#hasEnded) outsideParser(() => this.#controller?.abort(error))
  }

  settle(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  read(sink: ReplySink): void {
    this.#delivery.read(sink)
  }

  pause(): void {
    this.#delivery.pause()
  }

  resume(): void {
    this.#delivery.resume()
  }

  abort(): void {
    if (!this.#delivery.isOver) this.breakOff(new OutgoingAbortedError('The request was aborted.'))
  }

  async *chunks(): AsyncGenerator<Buffer, void, void> {
    const queue: Buffer[] = []
    let finished: { error: Error | null } | null = null
    let wake = (): void => {}
    const finish = (error: Error | null): void => {
      finished = { error }
      wake()
    }
    this.read({
      onData(chunk) {
        queue.push(chunk)
        wake()
        return queue.length < 4
      },
      onEnd: () => finish(null),
      onFailure: finish,
    })
    const ending = (): { error: Error | null } | null => finished
    try {
      for (;;) {
        const chunk = queue.shift()
        if (chunk) {
          if (queue.length === 0) this.resume()
          yield chunk
          continue
        }
        const end = ending()
        if (end?.error) throw end.error
        if (end) return
        await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      this.abort()
    }
  }

  bytes(limit: number, watch?: (piece: Buffer) => void): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const announced = Number(this.headers['content-length'] ?? 0) || 0
      const gatherer = new ByteGatherer(Math.min(announced, limit))
      this.read({
        room: (length) => gatherer.room(length),
        onData: (chunk) => {
          watch?.(chunk)
          gatherer.push(chunk)
          if (gatherer.size <= limit) return true
          reject(new ReplyTooLargeError(`The reply is larger than ${limit} bytes.`))
          this.abort()
          return false
        },
        onEnd: () => resolve(gatherer.take()),
        onFailure: reject,
      })
    })
  }
}

export interface OutgoingTargetOptions {
  readonly connectMilliseconds: number
  /** Purpose shown in the list of outgoing connections. */
  readonly purpose?: Purpose
  /** Route that differs from that of all others. */
  readonly detour?: Detour
}

/**
 * Creates the only channel through which the gateway calls other servers for an administrator's
 * connections. Connections are opened on first use and kept alive; caller headers, cookies and
 * compression are never used, because no code adds them.
 */
export function createOutgoingTarget(
  origin: string,
  options: OutgoingTargetOptions,
): OutgoingTarget {
  const purpose = options.purpose ?? { kind: 'other' }
  const detour = options.detour ?? NO_DETOUR
  const isStraight = createStraightCheck(new URL(origin), detour)
  const client = new HttpClient(origin, {
    ...options,
    purpose,
    onConnection: ({ socket }) => noteUse(socket),
  })
  const unusual = new UnusualCalls(origin, { ...options, purpose, detour })
  return {
    open: (request, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(new OutgoingAbortedError('The request was aborted.'))
          return
        }
        const exchange = new Exchange({ resolve, reject }, signal)
        const isFast = isOrdinary(request) && isStraight() && client.takes(request)
        if (isFast) client.dispatch(request, exchange)
        else unusual.dispatch(request, exchange).catch(reject)
      }),
    async retire() {
      await Promise.all([client.retire(), unusual.retire()])
    },
    async close(reason) {
      await Promise.all([client.close(reason), unusual.close(reason)])
    },
  }
}

const isOrdinary = (request: OutgoingRequest): request is OutgoingRequest & HttpRequest =>
  request.method !== 'PUT' &&
  request.method !== 'HEAD' &&
  (request.body === null || typeof request.body === 'string' || Buffer.isBuffer(request.body))

interface Pools {
  /** Connections that are kept open for the next request. */
  readonly kept: Pool
  /** Connections that are closed after one request. */
  readonly single: Pool
}

/**
 * Calls with a streamed body, with headers that need a general-purpose client, or with a separate
 * route.
 */
class UnusualCalls {
  readonly #origin: string
  readonly #options: Required<OutgoingTargetOptions>
  #pools: Promise<Pools> | null = null
  #closed = false

  constructor(origin: string, options: Required<OutgoingTargetOptions>) {
    this.#origin = origin
    this.#options = options
  }

  async dispatch(request: OutgoingRequest, exchange: Exchange): Promise<void> {
    if (this.#closed) throw new OutgoingAbortedError('The connection was closed.')
    const pools = await (this.#pools ??= openPools(this.#origin, this.#options))
    const { method, path, headers, body } = request
    const pool = request.onNewConnection ? pools.single : pools.kept
    pool.dispatch(
      {
        method,
        path,
        headers,
        body,
        headersTimeout: request.firstByteMilliseconds,
        bodyTimeout: request.idleMilliseconds,
      },
      exchange,
    )
  }

  async retire(): Promise<void> {
    this.#closed = true
    const pools = await this.#pools
    await Promise.all([pools?.kept.close(), pools?.single.close()])
  }

  async close(reason?: Error): Promise<void> {
    this.#closed = true
    const pools = await this.#pools
    await Promise.all([pools?.kept.destroy(reason ?? null), pools?.single.destroy(reason ?? null)])
  }
}

async function openPools(
  origin: string,
  { connectMilliseconds, purpose, detour }: Required<OutgoingTargetOptions>,
): Promise<Pools> {
  const [{ Pool }, connector] = await Promise.all([
    loadPool(),
    createConnector({ timeout: connectMilliseconds, detour }),
  ])
  const connect: typeof connector = (target, callback) =>
    because(purpose, () =>
      connector(target, (...[error, socket]) => {
        if (error) return callback(error, null)
        noteUse(socket)
        skipContinue(socket)
        callback(null, socket)
      }),
    )
  const shared = { connect, allowH2: false }
  return {
    kept: new Pool(origin, {
      ...shared,
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 60_000,
    }),
    single: new Pool(origin, { ...shared, pipelining: 0 }),
  }
}
