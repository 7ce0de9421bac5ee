import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { SOCKET_CLOSE, type PluginEvent, type ServerFrame } from '#contract/events.ts'
import type { Auth } from '../auth/index.ts'
import type { Logger } from '../lib/logger.ts'
import type { Live } from '../live/index.ts'
import { unwrap } from '../lib/plugin-events.ts'
import type { EventsSettings } from './events-settings.ts'
import { admitSocket } from './admit-socket.ts'
import { Connection, type TakeSignal } from './connection.ts'
import { FanOut } from './fan-out.ts'
import { Hub } from './hub.ts'
import { KeepAlive } from './keep-alive.ts'
import type {
  AnswerPlace,
  AskedCall,
  ChannelFrame,
  OtherSockets,
  UserEvent,
} from './other-sockets.ts'
import { PendingCalls, type AnswerWait } from './pending-calls.ts'
import { RemoteSockets, type SocketsHere } from './remote-sockets.ts'
import { SocketLimits } from './socket-limits.ts'
import { toTextFrame } from './text-frame.ts'

export { MAX_FRAMES_PER_SECOND, type TakeSignal } from './connection.ts'
export type {
  AnswerPlace,
  AskedCall,
  ChannelFrame,
  OtherSockets,
  UserEvent,
} from './other-sockets.ts'
export type { AnswerWait } from './pending-calls.ts'
export { createRateCheck } from './rate-check.ts'

/** Time limits of sockets; tests shorten them. */
export interface EventTimes {
  /** Time from the upgrade to a valid credential. */
  readonly authMs: number
  /** Interval between two keep-alive pings; a socket that missed one is closed at the next. */
  readonly pingMs: number
  /** Time after which a socket that accepts no data is closed. */
  readonly stalledMs: number
}

export interface EventsDependencies {
  readonly auth: Pick<Auth, 'liveCallers' | 'onRevoked' | 'peers'> &
    Partial<Pick<Auth, 'onAnyRevoked'>>
  readonly settings: EventsSettings
  /** Connection to the other gateways on the database; absent if there are none. */
  readonly live?: Live | null
  readonly log: Logger
  readonly times?: Partial<EventTimes>
}

const DEFAULT_TIMES: EventTimes = { authMs: 10_000, pingMs: 25_000, stalledMs: 60_000 }
const MAX_FRAME_BYTES = 1024 * 1024

/**
 * Socket hub: one prepared frame per event; slow sockets are skipped and dropped, never awaited.
 * The caller has checked path, Host and Origin before `handleUpgrade`.
 */
export class Events {
  readonly #auth: Pick<Auth, 'liveCallers' | 'onRevoked' | 'peers'>
  readonly #log: Logger
  readonly #times: EventTimes
  readonly #hub = new Hub()
  readonly #calls = new PendingCalls()
  readonly #fanOut = new FanOut()
  /** Limits of sockets and of the events sent to them. */
  readonly limits: SocketLimits
  readonly #keepAlive: KeepAlive
  #server: WebSocketServer | undefined
  #opening: Promise<WebSocketServer> | undefined
  #others: OtherSockets | undefined
  readonly #remote: RemoteSockets | null
  #takeSignal: TakeSignal = () => Promise.resolve('There is no channel with this id.')

  constructor({ auth, settings, live, log, times: given }: EventsDependencies) {
    this.#auth = auth
    this.#log = log
    this.#times = { ...DEFAULT_TIMES, ...given }
    this.limits = new SocketLimits(settings)
    this.#keepAlive = new KeepAlive(this.#hub, this.#times.pingMs)
    this.#remote = live ? new RemoteSockets(live, this.#here()) : null
    auth.onRevoked((userId) => this.recheck(userId))
    auth.onAnyRevoked?.(() => this.#recheckAll())
  }

  /**
   * Starts receiving events of other gateways; must be awaited before the gateway serves requests.
   */
  async open(): Promise<void> {
    await this.#remote?.open()
  }

  emit(userId: string, event: UserEvent): void {
    if (this.#remote) {
      if (this.#remote.isSilent) return
      this.#remote.emit(userId, event)
    }
    this.#emitHere(userId, event)
  }

  #emitHere(userId: string, event: UserEvent): void {
    this.#others?.emit(userId, event)
    const { chat_id, message_id, data } = event
    const connections = this.#hub.ofUser(userId)
    if (connections.size === 0) return
    this.#fanOut.send(
      userId,
      connections,
      toFrame({ type: 'events', chat_id, message_id, data: unwrap(data) }),
    )
  }

  /** Sends an event only to one session of a user. */
  emitTo(sessionId: string, userId: string, event: UserEvent): void {
    this.#remote?.emitTo(sessionId, userId, event)
    this.#emitToHere(sessionId, userId, event)
  }

  #emitToHere(sessionId: string, userId: string, event: UserEvent): void {
    this.#others?.emitTo(sessionId, userId, event)
    const connection = this.#hub.find(sessionId, userId)
    if (connection)
      this.#fanOut.send(
        userId,
        [connection],
        toFrame({ type: 'events', ...event, data: unwrap(event.data) }),
      )
  }

  /**
   * Sends one frame about a channel to every socket of these users; frames of one channel arrive in
   * the order they were sent.
   */
  emitToAll(userIds: Iterable<string>, event: ChannelFrame): void {
    const readers = [...userIds]
    this.#remote?.emitToAll(readers, event)
    this.#emitToAllHere(readers, event)
  }

  #emitToAllHere(readers: readonly string[], event: ChannelFrame): void {
    this.#others?.emitToAll(readers, event)
    const connections: Connection[] = []
    for (const userId of readers) connections.push(...this.#hub.ofUser(userId))
    if (connections.length === 0) return
    const frame = toFrame({ type: 'events:channel', ...event })
    this.#fanOut.send(`channel ${event.channel_id}`, connections, frame)
  }

  /** Returns the ids of the users who currently have a socket. */
  connected(): Iterable<string> {
    return this.#others || this.#remote
      ? new Set([
          ...this.#hub.users(),
          ...(this.#others?.users() ?? []),
          ...(this.#remote?.users() ?? []),
        ])
      : this.#hub.users()
  }

  /** Registers sockets of another protocol to receive all events sent from now on. */
  attach(others: OtherSockets): void {
    this.#others = others
  }

  /** See `RemoteSockets.enter`; returns undefined if there are no other gateways. */
  enter(sessionId: string, userId: string): Promise<number> | undefined {
    return this.#remote?.enter(sessionId, userId)
  }

  /** Must be called when a socket closes for which `enter` was called. */
  leave(sessionId: string, userId: string): void {
    this.#remote?.leave(sessionId, userId)
  }

  answerBegun(place: AnswerPlace): void {
    this.#remote?.tellAnswer('begun', place)
    this.#others?.answerBegun(place)
  }

  answerOver(place: AnswerPlace): void {
    this.#remote?.tellAnswer('over', place)
    this.#others?.answerOver(place)
  }

  /** Registers the handler of the channel module for signals that clients send about channels. */
  onChannelSignal(take: TakeSignal): void {
    this.#takeSignal = take
  }

  /** Handles a channel signal of a socket of another protocol, like those of the sockets here. */
  takeSignal: TakeSignal = (...given) => this.#takeSignal(...given)

  /** Returns true if a live socket with this session id belongs to this user. */
  hasSession(sessionId: string, userId: string): boolean {
    return (
      this.#hub.find(sessionId, userId) !== null ||
      this.#others?.hasSession(sessionId, userId) === true ||
      this.#remote?.hasSession(sessionId, userId) === true
    )
  }

  /**
   * Returns the session of an open window of the user's UI, which may be hidden; the focused one
   * first. Null if there is none.
   */
  windowOf(userId: string): string | null {
    const here = [...this.#hub.ofUser(userId)].filter((each) => each.isWindow && each.isOpen())
    const windows = this.#remote ? [...here, ...this.#remote.windowsOf(userId)] : here
    return (windows.find(({ focused }) => focused) ?? windows[0])?.sessionId ?? null
  }

  /**
   * Sends a call to one session and waits for its answer; rejects on timeout, error, a closed
   * socket and an aborted signal. The window is notified when the caller stops waiting.
   */
  call(sessionId: string, userId: string, event: AskedCall, wait: AnswerWait): Promise<unknown> {
    if (this.#remote?.hasSession(sessionId, userId))
      return this.#remote.call(sessionId, userId, event, wait)
    return this.#callHere(sessionId, userId, event, wait)
  }

  #callHere(
    sessionId: string,
    userId: string,
    event: AskedCall,
    wait: AnswerWait,
  ): Promise<unknown> {
    if (this.#others?.hasSession(sessionId, userId))
      return this.#others.call(sessionId, userId, event, wait)
    const connection = this.#hub.find(sessionId, userId)
    if (!connection)
      return Promise.reject(new Error('The window that should answer is no longer connected.'))
    return this.#calls.begin(connection, wait, (callId) =>
      this.#fanOut.send(
        userId,
        [connection],
        toFrame({ type: 'call', call_id: callId, ...event, data: unwrap(event.data) }),
      ),
    )
  }

  /** Returns true while a window of the user has the focus. */
  isFocused(userId: string): boolean {
    if ([...this.#hub.ofUser(userId)].some((connection) => connection.focused)) return true
    return [...(this.#remote?.windowsOf(userId) ?? [])].some(({ focused }) => focused)
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const abandon = () => socket.destroy()
    socket.once('error', abandon)
    this.#opening ??= this.#openServer()
    void this.#opening.then((opened) => {
      socket.off('error', abandon)
      opened.handleUpgrade(request, socket, head, (webSocket) => {
        void this.#accept(webSocket, request, socket)
      })
    })
  }

  /** Closes every socket whose credential is no longer valid. */
  async recheck(userId: string): Promise<void> {
    await this.#others?.recheck(userId)
    for (const connection of this.#hub.ofUser(userId)) {
      if (!(await connection.isValid()))
        connection.end(SOCKET_CLOSE.revoked, 'The sign-in is no longer valid.')
    }
  }

  async #recheckAll(): Promise<void> {
    for (const userId of new Set([...this.#hub.users(), ...(this.#others?.users() ?? [])]))
      await this.recheck(userId)
  }

  /** Closes all sockets for shutdown. */
  close(): void {
    this.#others?.close()
    this.#keepAlive.stop()
    const clients = [...(this.#server?.clients ?? [])]
    for (const webSocket of clients) webSocket.close(1001, 'The gateway is stopping.')
    setTimeout(() => clients.forEach((webSocket) => webSocket.terminate()), 500).unref()
  }

  /** Loaded for the first window: a gateway that serves only scripts starts without it. */
  async #openServer(): Promise<WebSocketServer> {
    const ws = await import('ws')
    return (this.#server = new ws.WebSocketServer({
      noServer: true,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
    }))
  }

  /**
   * Registers a socket among all gateways, which may close at any time meanwhile; resolves with the
   * number of sockets the user had before.
   */
  #enterWith(webSocket: WebSocket): RemoteSockets['enter'] {
    return async (sessionId, userId) => {
      const place = await this.#remote!.enter(sessionId, userId)
      if (webSocket.readyState === webSocket.OPEN)
        webSocket.once('close', () => this.#remote!.leave(sessionId, userId))
      else this.#remote!.leave(sessionId, userId)
      return place
    }
  }

  /** Returns access to the sockets of this gateway, for events of other gateways. */
  #here(): SocketsHere {
    return {
      emit: (userId, event) => this.#emitHere(userId, event),
      emitTo: (sessionId, userId, event) => this.#emitToHere(sessionId, userId, event),
      emitToAll: (readers, event) => this.#emitToAllHere(readers, event),
      answerBegun: (place) => this.#others?.answerBegun(place),
      answerOver: (place) => this.#others?.answerOver(place),
      call: (...given) => this.#callHere(...given),
    }
  }

  async #accept(webSocket: WebSocket, request: IncomingMessage, socket: Duplex): Promise<void> {
    webSocket.on('error', (error) => this.#log.debug({ error }, 'socket failed'))
    const auth = this.#auth
    const { authMs: timeoutMs, stalledMs } = this.#times
    const address = auth.peers.limitSubject(request)
    if (!this.limits.enter(address, webSocket)) return
    const enter = this.#remote ? this.#enterWith(webSocket) : undefined
    const admitted = await admitSocket({
      webSocket,
      request,
      auth,
      timeoutMs,
      enter,
      limits: this.limits,
    })
    this.limits.leave(address)
    if (!admitted) return
    const { sessionId } = admitted
    const { userId } = admitted.live.caller
    const before = admitted.place ?? this.#hub.ofUser(userId).size
    if (!this.limits.admit(before, webSocket)) return
    const connection = new Connection({
      ...admitted,
      webSocket,
      socket,
      stalledMs,
      limits: this.limits,
      calls: this.#calls,
      takeSignal: this.#takeSignal,
      onFocus: this.#remote
        ? (focused) => this.#remote!.noteFocus(sessionId, userId, focused)
        : undefined,
    })
    this.#hub.add(connection)
    this.#keepAlive.start()
    webSocket.once('close', () => {
      this.#hub.remove(connection)
      this.#calls.abandon(connection)
    })
  }
}

/** Frame of the window protocol, or one with an event known only to its sender. */
type SentFrame =
  | ServerFrame
  | (Omit<Extract<ServerFrame, { type: 'events' | 'call' }>, 'data'> & { data: PluginEvent })

const toFrame = (frame: SentFrame): Buffer => toTextFrame(JSON.stringify(frame))
