import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Pool } from 'undici'
import { ByteGatherer } from './byte-gatherer.ts'
import { HttpClient, type HttpRequest } from './fast/http-client.ts'
import type { ReplyController, ReplyHandler } from './fast/http-connection.ts'
import { loadPool } from './fast/load-pool.ts'
import { createConnector } from './connector.ts'
import { PacedDelivery, toError, type PieceSource, type ReplySink } from './paced-delivery.ts'
import { isStraight, NO_DETOUR, type Detour } from './proxy-route.ts'
import { because, type Purpose } from './purpose.ts'
import { skipContinue } from './skip-continue.ts'

/**
 * One request to another server. Nothing is added to its headers but `host` and the length of the
 * body.
 */
export interface OutgoingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string | Readable | null
  readonly firstByteMilliseconds: number
  /** Longest silence between two pieces of the reply. */
  readonly idleMilliseconds: number
  /** Opens a connection for this request alone instead of taking one that was kept alive. */
  readonly onNewConnection?: boolean
}

/**
 * A reply whose head has come. Its body waits until one of `read`, `chunks` or `bytes` is called.
 */
export interface OutgoingReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  read(sink: ReplySink): void
  /** The body in pieces; leaving the loop early closes the connection. */
  chunks(): AsyncGenerator<Buffer, void, void>
  /** The whole body; fails with `ReplyTooLargeError` beyond `limit`. */
  bytes(limit: number): Promise<Buffer>
  /** Holds the upstream back until `resume`. */
  pause(): void
  resume(): void
  /** Closes the connection at once; without effect after the end. */
  abort(): void
}

export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError'
}

export class OutgoingAbortedError extends Error {
  override readonly name = 'OutgoingAbortedError'
}

/**
 * The other side closed a kept-alive connection as the request was sent on it: earlier requests
 * were answered there, and not one byte came back for this one. `code` is that of the cause.
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
  /** Takes no new requests and ends when the running ones have. */
  retire(): Promise<void>
  /** Ends at once, running requests included; they fail with `reason` where one is given. */
  close(reason?: Error): Promise<void>
}

/**
 * Callbacks of an HTTP parser that are running. That of undici is shared by all connections and
 * asserts that nobody acts on it meanwhile.
 */
let parsing = 0

/**
 * Does what acts on the parser once it has returned; an assertion inside of it ends the process.
 */
function outsideParser(work: () => void): void {
  if (parsing === 0) work()
  else queueMicrotask(work)
}

/** Headers that are read as one text. Of one that was sent several times, the first counts. */
const READ_AS_TEXT = ['content-type', 'content-length', 'content-encoding', 'retry-after'] as const

function withSingleTexts(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const name of READ_AS_TEXT) {
    const value: unknown = headers[name]
    if (Array.isArray(value)) headers[name] = String(value[0])
  }
  return headers
}

const LOST_CONNECTION = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Errors of connections that had brought bytes before. */
const ofUsedConnections = new WeakSet<Error>()

/**
 * @NOTE In front of the listeners that tell the requests, so that it has run by then. Of TLS only
 *   what is inside counts.
 */
function noteUse(socket: Socket): void {
  socket.prependListener('error', (error) => {
    if (socket.bytesRead > 0) ofUsedConnections.add(error)
  })
}

/** Only meaningful for a request for which no byte has come. */
function isStale(error: Error): error is Error & { code: string } {
  return 'code' in error && LOST_CONNECTION.has(String(error.code)) && ofUsedConnections.has(error)
}

type Settle = { resolve: (reply: OutgoingReply) => void; reject: (error: Error) => void }

/**
 * A request under way and then its reply. A class, because one is made per call on the hottest
 * path.
 */
class Exchange implements OutgoingReply, PieceSource, ReplyHandler {
  status = 0
  headers: IncomingHttpHeaders = {}
  #controller: ReplyController | null = null
  readonly #delivery = new PacedDelivery(this)
  #hasBegun = false
  /** The other side has sent everything. */
  #hasEnded = false
  #failure: Error | null = null
  readonly #settle: Settle
  readonly #signal: AbortSignal
  // @NOTE Node keeps listeners that are objects in a weak map, which only a full collection
  //   empties: with one of these each
  // call outlived its end together with all it had touched.
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

  /** The first byte came, of whatever head. */
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
   * @NOTE The parser still reports the end of a reply that was aborted while it read its last
   *   bytes.
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

  bytes(limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const announced = Number(this.headers['content-length'] ?? 0) || 0
      const gatherer = new ByteGatherer(Math.min(announced, limit))
      this.read({
        room: (length) => gatherer.room(length),
        onData: (chunk) => {
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
  /** What the list of outgoing connections says of it. */
  readonly purpose?: Purpose
  /** Another way than that of all others. */
  readonly detour?: Detour | undefined
}

/**
 * The single place where the gateway calls other servers for an admin's connections. Connections
 * are opened on first use and kept alive; caller headers, cookies and compression never come into
 * play because nothing adds them.
 */
export function createOutgoingTarget(
  origin: string,
  options: OutgoingTargetOptions,
): OutgoingTarget {
  const purpose = options.purpose ?? { kind: 'other' }
  const detour = options.detour ?? NO_DETOUR
  const address = new URL(origin)
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
        const isFast = isOrdinary(request) && isStraight(address, detour) && client.takes(request)
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
  /** Connections that stay open for the next request. */
  readonly kept: Pool
  /** Connections that end with their one request. */
  readonly single: Pool
}

/** Calls whose body is a stream, whose headers need a client for everything, or that go a detour. */
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
