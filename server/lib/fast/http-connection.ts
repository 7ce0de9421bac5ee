import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { HttpError } from './http-error.ts'
import type { SocketOpener } from './open-socket.ts'
import type { ReplyHead } from './reply-head.ts'
import { ReplyParser, type ReplyEvents } from './reply-parser.ts'
import { toShortText } from './to-short-text.ts'

/** Controls a reply in progress; same form as in undici. */
export interface ReplyController {
  readonly paused: boolean
  pause(): void
  resume(): void
  abort(reason: Error): void
}

/** Callbacks for the progress of a call; the part of undici's handlers that calls here need. */
export interface ReplyHandler {
  onRequestStart(controller: ReplyController): void
  /** Called when the first byte has arrived. */
  onResponseStarted(): void
  onResponseStart(controller: ReplyController, status: number, headers: IncomingHttpHeaders): void
  /** Returns the memory to write the next chunk to; null to allocate separate memory. */
  room(length: number): Buffer | null
  onResponseData(controller: ReplyController, piece: Buffer): void
  onResponseEnd(): void
  onResponseError(controller: ReplyController | null, error: Error): void
}

/** Request in the form in which it is sent. */
export interface WrittenRequest {
  /** Head up to the empty line, in Latin-1. */
  readonly head: string
  readonly body: Buffer | null
  readonly firstByteMilliseconds: number
  readonly idleMilliseconds: number
  /** True if the connection ends after this request. */
  readonly isSingle: boolean
}

/** Keeps connections between requests. */
export interface ConnectionKeeper {
  onFree(connection: HttpConnection): void
  onClosed(connection: HttpConnection): void
  /** Requests a check of the connection after the given time. */
  watch(milliseconds: number): void
}

const READ_BYTES = 64 * 1024
/** Time a connection is kept if the server does not specify one. */
const KEPT_MILLISECONDS = 30_000
const LONGEST_KEPT_MILLISECONDS = 60_000
/** Margin by which a connection is closed before the server would close it. */
const MARGIN_MILLISECONDS = 2000

/**
 * Every connection reads into the same buffer, because no other code runs until the bytes are
 * copied.
 */
const incoming = Buffer.allocUnsafeSlow(READ_BYTES)

function readKeptTime({ 'keep-alive': hint }: IncomingHttpHeaders): number {
  if (hint === undefined) return KEPT_MILLISECONDS
  const seconds = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(String(hint))?.[1]
  if (seconds === undefined) return KEPT_MILLISECONDS
  return Math.min(Number(seconds) * 1000 - MARGIN_MILLISECONDS, LONGEST_KEPT_MILLISECONDS)
}

/**
 * Connection that carries one call after another. A call on a kept connection is written after the
 * events of the current turn: bytes, or an end, that arrived before it are no reply to it.
 */
export class HttpConnection implements ReplyEvents, ReplyController {
  readonly #keeper: ConnectionKeeper
  readonly #socket: Socket
  readonly #parser = new ReplyParser(this)
  #request: WrittenRequest | null = null
  #handler: ReplyHandler | null = null
  #stage: 'connecting' | 'free' | 'waiting' | 'head' | 'body' = 'connecting'
  /** Time at which the silence of the server becomes a timeout. */
  #deadline = Infinity
  #isKept = true
  #keptMilliseconds = KEPT_MILLISECONDS
  #isComplete = false
  paused = false

  constructor(opener: SocketOpener, keeper: ConnectionKeeper, connectMilliseconds: number) {
    this.#keeper = keeper
    const socket = opener.open({
      buffer: incoming,
      callback: (length, bytes) => this.#onBytes(bytes as Buffer, length),
    })
    this.#socket = socket
    this.#expectWithin(connectMilliseconds)
    socket.on(opener.event, () => this.#onOpen())
    socket.on('end', () => this.#onEnd())
    socket.on('error', (error) => this.#onError(error))
    socket.on('close', () => this.#onClose())
  }

  get socket(): Socket {
    return this.#socket
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  get isFree(): boolean {
    return this.#stage === 'free'
  }

  /** Starts a call. */
  send(request: WrittenRequest, handler: ReplyHandler): void {
    this.#request = request
    this.#handler = handler
    if (this.#stage === 'free') {
      this.#stage = 'waiting'
      this.#deadline = Infinity
      this.#socket.ref()
      setImmediate(writeWaiting, this)
    }
    handler.onRequestStart(this)
  }

  /** Writes the waiting call, if the connection is still open. */
  write(): void {
    const request = this.#request
    if (request === null || this.#socket.destroyed) return
    this.#stage = 'head'
    this.#isKept = !request.isSingle
    this.#parser.begin()
    const { head, body, firstByteMilliseconds } = request
    const text = body === null ? '' : toShortText(body)
    if (text !== null) this.#socket.write(head + text, 'latin1')
    else {
      this.#socket.cork()
      this.#socket.write(head, 'latin1')
      this.#socket.write(body!)
      this.#socket.uncork()
    }
    this.#expectWithin(firstByteMilliseconds)
  }

  /** Closes the connection; a call on it fails with the reason. */
  destroy(reason?: Error): void {
    this.#parser.stop()
    this.#fail(reason ?? new HttpError('The connection was closed.', 'UND_ERR_DESTROYED'))
    this.#socket.destroy()
  }

  /** Closes the connection after its deadline. */
  check(now: number): void {
    if (now < this.#deadline) return
    if (this.#stage === 'free') return this.destroy()
    if (this.#stage === 'connecting')
      this.destroy(new HttpError('Connect timeout', 'UND_ERR_CONNECT_TIMEOUT'))
    else if (this.#stage === 'head')
      this.destroy(new HttpError('Headers timeout', 'UND_ERR_HEADERS_TIMEOUT'))
    else if (!this.paused) this.destroy(new HttpError('Body timeout', 'UND_ERR_BODY_TIMEOUT'))
  }

  pause(): void {
    if (this.paused || this.#handler === null) return
    this.paused = true
    this.#socket.pause()
  }

  resume(): void {
    if (!this.paused) return
    this.paused = false
    if (this.#request !== null) this.#expectWithin(this.#request.idleMilliseconds)
    this.#socket.resume()
  }

  abort(reason: Error): void {
    if (this.#handler !== null) this.destroy(reason)
  }

  onHead({ status, headers, isKept }: ReplyHead): void {
    this.#stage = 'body'
    this.#isKept &&= isKept
    this.#keptMilliseconds = readKeptTime(headers)
    this.#handler?.onResponseStart(this, status, headers)
  }

  room(length: number): Buffer | null {
    return this.#handler?.room(length) ?? null
  }

  onBody(piece: Buffer): void {
    this.#handler?.onResponseData(this, piece)
  }

  onComplete(): void {
    this.#isComplete = true
    const handler = this.#handler
    this.#handler = null
    handler?.onResponseEnd()
  }

  #expectWithin(milliseconds: number): void {
    this.#deadline = performance.now() + milliseconds
    this.#keeper.watch(milliseconds)
  }

  #onOpen(): void {
    if (this.#request !== null) this.write()
  }

  /** Returns false to pause the server. */
  #onBytes(bytes: Buffer, length: number): boolean {
    const stage = this.#stage
    if (stage === 'head' || stage === 'body') {
      this.#read(bytes.subarray(0, length), stage === 'head')
    } else this.#socket.destroy(new HttpError('bytes came before a request'))
    return !this.paused
  }

  #read(bytes: Buffer, isHead: boolean): void {
    const request = this.#request!
    if (isHead) this.#handler?.onResponseStarted()
    try {
      this.#parser.push(bytes)
    } catch (error) {
      return this.destroy(error as Error)
    }
    if (this.#isComplete) this.#release()
    else if (this.#stage === 'body') this.#expectWithin(request.idleMilliseconds)
  }

  /**
   * Handles the end of the reply: the connection is kept unless its two sides may disagree about
   * where the reply ended.
   */
  #release(): void {
    this.#isComplete = false
    this.#request = null
    const isClean = !this.#parser.hasExtra && this.#socket.writableLength === 0
    if (!this.#isKept || !isClean || this.#keptMilliseconds <= 0 || this.#socket.destroyed)
      return void this.#socket.destroy()
    if (this.paused) this.resume()
    this.#stage = 'free'
    this.#socket.unref()
    this.#expectWithin(this.#keptMilliseconds)
    this.#keeper.onFree(this)
  }

  #onEnd(): void {
    if (this.#handler === null || !this.#finish())
      this.#socket.destroy(new HttpError('other side closed'))
  }

  /** A body without a declared length is complete when the server closes the connection. */
  #finish(): boolean {
    if (this.#stage !== 'body' || !this.#parser.finish()) return false
    this.#socket.destroy()
    return true
  }

  #onError(error: Error & { code?: string }): void {
    if (error.code === 'ECONNRESET' && this.#handler !== null && this.#finish()) return
    this.#fail(error)
  }

  #onClose(): void {
    this.#fail(new HttpError('closed'))
    this.#keeper.onClosed(this)
  }

  #fail(error: Error): void {
    const handler = this.#handler
    this.#handler = null
    this.#request = null
    handler?.onResponseError(null, error)
  }
}

const writeWaiting = (connection: HttpConnection): void => connection.write()
