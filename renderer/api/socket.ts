import { createStore, type StoreApi } from 'zustand/vanilla'
import { SOCKET_CLOSE, SOCKET_PATH, type ClientFrame, type ServerFrame } from '#contract/events.ts'
import { readSessionKey } from './session-key.ts'
import { withBase } from '../lib/base-path.ts'

export type SocketStatus = 'connecting' | 'open' | 'offline'
export type FrameListener = (frame: ServerFrame) => void

/** The window's only WebSocket connection to the gateway. It reconnects automatically. */
export interface GatewaySocket {
  /** Connects, or does nothing when it already is connected. */
  open(): void
  /** Closes the connection until the next `open`. */
  close(): void
  /** Id to send as `session_id`; null while disconnected. */
  sessionId(): string | null
  send(frame: ClientFrame): boolean
  /** Subscribes to every frame; returns the function that unsubscribes. */
  onFrame(listener: FrameListener): () => void
  /** Subscribes to reconnections, after which frames may have been missed. */
  onReconnected(listener: () => void): () => void
  /** Subscribes to the gateway's rejection of this session. */
  onRefused(listener: () => void): () => void
  readonly status: StoreApi<{ status: SocketStatus }>
}

const FIRST_DELAY = 400
const LONGEST_DELAY = 15_000
/** Number of failures after which the delay is at its maximum. */
const MANY_FAILURES = 10
const PING_EVERY = 20_000
const PONG_WITHIN = 10_000

/**
 * Doubles with each failure and is randomised by half, so that many windows do not reconnect at the
 * same moment.
 */
export const reconnectDelay = (failures: number, random: () => number = Math.random): number =>
  Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.min(failures, MANY_FAILURES)) *
  (0.5 + random() / 2)

const socketUrl = (): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${withBase(SOCKET_PATH)}`

class Listeners<Value> {
  readonly #all = new Set<(value: Value) => void>()

  add = (listener: (value: Value) => void): (() => void) => {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }

  tell(value: Value): void {
    for (const listener of this.#all) listener(value)
  }
}

class ReconnectingSocket implements GatewaySocket {
  readonly status = createStore<{ status: SocketStatus }>(() => ({ status: 'offline' }))
  readonly #frames = new Listeners<ServerFrame>()
  readonly #reconnected = new Listeners<void>()
  readonly #refused = new Listeners<void>()
  readonly #connect: () => WebSocket
  #line: WebSocket | null = null
  #sessionId: string | null = null
  #wanted = false
  #failures = 0
  #wasReady = false
  #retry: ReturnType<typeof setTimeout> | undefined
  #ping: ReturnType<typeof setTimeout> | undefined

  constructor(connect: () => WebSocket) {
    this.#connect = connect
  }

  onFrame = this.#frames.add
  onReconnected = this.#reconnected.add
  onRefused = this.#refused.add

  sessionId(): string | null {
    return this.#sessionId
  }

  open(): void {
    if (this.#wanted) return
    this.#wanted = true
    window.addEventListener('online', this.#hurry)
    document.addEventListener('visibilitychange', this.#hurry)
    this.#start()
  }

  close(): void {
    this.#wanted = false
    this.#wasReady = false
    clearTimeout(this.#retry)
    window.removeEventListener('online', this.#hurry)
    document.removeEventListener('visibilitychange', this.#hurry)
    this.#drop()
  }

  send(frame: ClientFrame): boolean {
    if (!this.#line || this.#sessionId === null) return false
    this.#line.send(JSON.stringify(frame))
    return true
  }

  readonly #hurry = (): void => {
    if (!this.#wanted || this.#line || document.visibilityState === 'hidden') return
    clearTimeout(this.#retry)
    this.#failures = 0
    this.#start()
  }

  #start(): void {
    if (this.#line) return
    this.status.setState({ status: 'connecting' })
    const line = this.#connect()
    this.#line = line
    line.addEventListener('open', () => {
      const key = readSessionKey()
      if (key !== null) line.send(JSON.stringify({ type: 'auth', key } satisfies ClientFrame))
    })
    line.addEventListener('message', (event: MessageEvent<string>) => this.#receive(event.data))
    line.addEventListener('close', (event: CloseEvent) => {
      if (this.#line === line) this.#lost(event.code)
    })
  }

  #receive(text: string): void {
    const frame = JSON.parse(text) as ServerFrame
    this.#watch()
    if (frame.type === 'ready') this.#greet(frame.session_id)
    this.#frames.tell(frame)
  }

  #greet(sessionId: string): void {
    const returned = this.#wasReady
    this.#sessionId = sessionId
    this.#failures = 0
    this.#wasReady = true
    this.status.setState({ status: 'open' })
    if (returned) this.#reconnected.tell()
  }

  /**
   * After a laptop's sleep a socket may look open although it is dead; an unanswered ping closes
   * it.
   */
  #watch(): void {
    clearTimeout(this.#ping)
    this.#ping = setTimeout(() => {
      this.send({ type: 'ping' })
      this.#ping = setTimeout(() => this.#lost(0), PONG_WITHIN)
    }, PING_EVERY)
  }

  #lost(code: number): void {
    this.#drop()
    if (!this.#wanted) return
    if (code === SOCKET_CLOSE.unauthenticated || code === SOCKET_CLOSE.revoked) {
      this.close()
      this.#refused.tell()
      return
    }
    // The gateway accepts such a connection before it closes it, so without this the client would
    // reconnect immediately and endlessly.
    if (code === SOCKET_CLOSE.tooMany) this.#failures = MANY_FAILURES
    this.#retry = setTimeout(() => this.#start(), reconnectDelay(this.#failures++))
  }

  #drop(): void {
    clearTimeout(this.#ping)
    const line = this.#line
    this.#line = null
    this.#sessionId = null
    line?.close()
    this.status.setState({ status: 'offline' })
  }
}

/** Creates a socket; tests replace `connect`. */
export const createSocket = (
  connect: () => WebSocket = () => new WebSocket(socketUrl()),
): GatewaySocket => new ReconnectingSocket(connect)

/** The app's socket. `app/` opens it after sign-in. */
export const socket = createSocket()
