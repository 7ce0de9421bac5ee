import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { SOCKET_CLOSE, type ClientFrame, type ServerFrame } from '#contract/events.ts'
import type { ChannelSignal } from '#contract/channel-events.ts'
import type { Admission } from './admit-socket.ts'
import { parseFrame } from './parse-frame.ts'
import type { Caller } from '../lib/http.ts'
import type { PendingCalls } from './pending-calls.ts'
import { createRateCheck } from './rate-check.ts'
import type { SocketLimits } from './socket-limits.ts'

/** Handles a client's signal about a channel. Resolves with an error message if it is rejected. */
export type TakeSignal = (
  caller: Caller,
  channelId: string,
  signal: ChannelSignal,
) => Promise<string | null>

interface ConnectionOptions extends Admission {
  webSocket: WebSocket
  /** Stream below the socket, which reports when it has drained. */
  socket: Duplex
  stalledMs: number
  limits: Pick<SocketLimits, 'explainRichness'>
  calls: PendingCalls
  takeSignal: TakeSignal
  onFocus?: (focused: boolean) => void
}

/** Maximum backlog of a socket in bytes before it is skipped. */
const MAX_BACKLOG_BYTES = 512 * 1024
/** Maximum number of frames per second from one socket; more close it. */
export const MAX_FRAMES_PER_SECOND = 100
const CLOSE_GRACE_MS = 2000

/** An admitted socket. */
export class Connection {
  readonly sessionId: string
  readonly userId: string
  readonly #options: ConnectionOptions
  readonly #webSocket: WebSocket
  readonly #isTooFast = createRateCheck(MAX_FRAMES_PER_SECOND)
  /** Null until the client reports its focus, which windows of the UI do at once. */
  #focused: boolean | null = null
  #answered = true
  #stalled: NodeJS.Timeout | null = null
  #received = Promise.resolve()

  constructor(options: ConnectionOptions) {
    const { webSocket, live, sessionId, early } = options
    this.#options = options
    this.#webSocket = webSocket
    this.sessionId = sessionId
    this.userId = live.caller.userId
    for (const frame of early) this.#queue(frame.data, frame.isBinary)
    webSocket.on('message', (data, isBinary) => this.#queue(data, isBinary))
    webSocket.on('pong', () => (this.#answered = true))
    webSocket.once('close', () => this.#stalled && clearTimeout(this.#stalled))
  }

  get focused(): boolean {
    return this.#focused === true
  }

  /** True if this is a window of the UI, which answers calls, and not an API client. */
  get isWindow(): boolean {
    return this.#focused !== null
  }

  isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN
  }

  /** Resolves with true if the credential that opened the socket would still be accepted. */
  isValid(): Promise<boolean> {
    return this.#options.live.isValid()
  }

  /**
   * Sends a whole WebSocket frame whose bytes may be shared with other sockets; a socket that does
   * not drain is skipped.
   */
  send(frame: Buffer): void {
    if (this.#stalled || this.#webSocket.readyState !== this.#webSocket.OPEN) return
    // Written to the stream directly: without compression `ws` writes each of its frames in one
    // piece, so none can be cut.
    this.#options.socket.write(frame)
    if (this.#options.socket.writableLength > MAX_BACKLOG_BYTES) this.#markStalled()
  }

  /** Sends a ping; returns false if the last one was not answered. */
  ping(): boolean {
    if (!this.#answered) return false
    this.#answered = false
    this.#webSocket.ping()
    return true
  }

  end(code: number, reason: string): void {
    this.#webSocket.close(code, reason)
    setTimeout(() => this.#webSocket.terminate(), CLOSE_GRACE_MS).unref()
  }

  terminate(): void {
    this.#webSocket.terminate()
  }

  #markStalled(): void {
    this.#stalled = setTimeout(
      () => this.end(SOCKET_CLOSE.slow, 'The socket does not keep up.'),
      this.#options.stalledMs,
    )
    this.#stalled.unref()
    this.#options.socket.once('drain', () => {
      if (this.#stalled) clearTimeout(this.#stalled)
      this.#stalled = null
    })
  }

  #reply(frame: ServerFrame) {
    if (!this.#stalled) this.#webSocket.send(JSON.stringify(frame))
  }

  /** Processes frames in the order of their arrival. */
  #queue(data: RawData, isBinary: boolean): void {
    this.#received = this.#received
      .then(() => this.#receive(data, isBinary))
      .catch(() => this.end(1011, 'The gateway could not read a frame.'))
  }

  async #receive(data: RawData, isBinary: boolean): Promise<void> {
    if (this.#isTooFast())
      return this.end(
        1008,
        `More than ${MAX_FRAMES_PER_SECOND} frames in a second were sent. This limit is fixed.`,
      )
    if (!(await this.#options.live.isValid()))
      return this.end(SOCKET_CLOSE.revoked, 'The sign-in is no longer valid.')
    if (isBinary) return this.end(1003, 'Send text frames of JSON.')
    const refusal = this.#options.limits.explainRichness(data as Buffer)
    if (refusal !== null) return this.end(1009, refusal)
    const frame = parseFrame(data)
    if (frame === null)
      return this.#reply({ type: 'error', detail: 'This is not a frame the gateway knows.' })
    this.#obey(frame)
  }

  #obey(frame: ClientFrame): void {
    switch (frame.type) {
      case 'ping':
        return this.#reply({ type: 'pong' })
      case 'focus':
        this.#focused = frame.focused
        return this.#options.onFocus?.(frame.focused)
      case 'call:result':
        return this.#options.calls.resolve(this, frame.call_id, frame.result)
      case 'call:error':
        return this.#options.calls.reject(this, frame.call_id, frame.error)
      case 'channel':
        return void this.#options
          .takeSignal(this.#options.live.caller, frame.channel_id, frame.data)
          .then((problem) => problem !== null && this.#reply({ type: 'error', detail: problem }))
      case 'auth':
        return this.#reply({
          type: 'error',
          detail: 'The socket is already signed in. Open a new one to change the user.',
        })
    }
  }
}
