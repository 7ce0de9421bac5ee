import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { SOCKET_CLOSE, type EventData, type ServerFrame } from '#contract/events.ts'
import type { Auth } from '../auth/index.ts'
import type { Logger } from '../lib/logger.ts'
import type { Settings } from '../settings/index.ts'
import { admitSocket } from './admit-socket.ts'
import { createConnection, type Connection, type TakeSignal } from './connection.ts'
import { FanOut } from './fan-out.ts'
import { createHub, type Hub } from './hub.ts'
import { createKeepAlive } from './keep-alive.ts'
import { createPendingCalls, type CallWait } from './pending-calls.ts'
import { SocketLimits } from './socket-limits.ts'
import { toTextFrame } from './text-frame.ts'

/** An event on its way to every socket of a user. */
export interface UserEvent {
  readonly chat_id: string | null
  readonly message_id: string | null
  readonly data: EventData
}

/** An event of a channel on its way to those who may read it. */
export type ChannelFrame = Omit<Extract<ServerFrame, { type: 'events:channel' }>, 'type'>

/**
 * The socket hub (decisions §5): one prepared frame per event, slow sockets skipped and dropped,
 * never awaited.
 */
export interface Events {
  emit(userId: string, event: UserEvent): void
  /** Sends an event to one session of a user only. */
  emitTo(sessionId: string, userId: string, event: UserEvent): void
  /**
   * Sends one frame about a channel to every socket of these people; frames of one channel arrive
   * in the order they were sent.
   */
  emitToAll(userIds: Iterable<string>, event: ChannelFrame): void
  /** Who has a socket now. */
  connected(): Iterable<string>
  /** Hands what clients say of channels to the domain that knows them. */
  onChannelSignal(take: TakeSignal): void
  /**
   * Throws 413 for an event of a tool or a script that is longer than WEBSOCKET_MAX_EVENT_SIZE;
   * `bytes` where that is known.
   */
  requireFit(data: EventData, bytes?: number): void
  /** True when a live socket with this session id belongs to this user. */
  hasSession(sessionId: string, userId: string): boolean
  /**
   * Sends a call to one session and waits for its answer; rejects on timeout, error, a closed
   * socket and an aborted signal. The window hears when nobody waits any more.
   */
  call(
    sessionId: string,
    userId: string,
    event: { chat_id: string; message_id: string; data: EventData },
    wait: CallWait,
  ): Promise<unknown>
  /** True while a window of the user has the focus. */
  isFocused(userId: string): boolean
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes every socket whose credential is no longer valid. */
  recheck(userId: string): void
  /** Closes all sockets for shutdown. */
  close(): void
}

/** How long things of a socket may take; tests shorten them. */
export interface EventTimes {
  /** From the upgrade to a valid credential. */
  readonly authMs: number
  /** Between two keep-alive pings; a socket that missed one is gone at the next. */
  readonly pingMs: number
  /** A socket that takes nothing for this long is dropped. */
  readonly stalledMs: number
}

export interface EventsDependencies {
  readonly auth: Pick<
    Auth,
    'authenticateToken' | 'authenticateUpgrade' | 'limitSubject' | 'onRevoked'
  >
  readonly settings: Pick<Settings, 'integer'>
  readonly log: Logger
  readonly times?: Partial<EventTimes>
}

const DEFAULT_TIMES: EventTimes = { authMs: 10_000, pingMs: 25_000, stalledMs: 60_000 }
const MAX_FRAME_BYTES = 1024 * 1024

/** Builds the socket hub; the caller has checked path, Host and Origin before `handleUpgrade`. */
export function createEvents({ auth, settings, log, times: given }: EventsDependencies): Events {
  const times = { ...DEFAULT_TIMES, ...given }
  const hub = createHub()
  const calls = createPendingCalls()
  const fanOut = new FanOut()
  const limits = new SocketLimits(settings)
  const keepAlive = createKeepAlive(hub, times.pingMs)
  let server: WebSocketServer | undefined
  let opening: Promise<WebSocketServer> | undefined
  let takeSignal: TakeSignal = () => Promise.resolve('There is no channel with this id.')

  /** Loaded by the first window: a gateway that only serves scripts starts without it. */
  async function openServer(): Promise<WebSocketServer> {
    const ws = await import('ws')
    return (server = new ws.WebSocketServer({
      noServer: true,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
    }))
  }

  function accept(webSocket: WebSocket, request: IncomingMessage, socket: Duplex): void {
    webSocket.on('error', (error) => log.debug({ error }, 'socket failed'))
    const address = auth.limitSubject(request)
    if (!limits.enter(address, webSocket)) return
    void admitSocket({ webSocket, request, auth, timeoutMs: times.authMs }).then((admitted) => {
      limits.leave(address)
      if (!admitted || !limits.admit(hub.ofUser(admitted.live.caller.userId).size, webSocket))
        return
      const connection = createConnection({
        webSocket,
        socket,
        ...admitted,
        stalledMs: times.stalledMs,
        calls,
        takeSignal,
      })
      hub.add(connection)
      keepAlive.start()
      webSocket.once('close', () => {
        hub.remove(connection)
        calls.abandon(connection)
      })
    })
  }

  function recheck(userId: string): void {
    for (const connection of hub.ofUser(userId)) {
      if (!connection.isValid())
        connection.end(SOCKET_CLOSE.revoked, 'The sign-in is no longer valid.')
    }
  }
  auth.onRevoked(recheck)

  return {
    ...createSenders(hub, fanOut),
    onChannelSignal(take) {
      takeSignal = take
    },
    requireFit: (data, bytes) => limits.requireFit(data, bytes),
    hasSession: (sessionId, userId) => hub.find(sessionId, userId) !== null,
    call(sessionId, userId, event, wait) {
      const connection = hub.find(sessionId, userId)
      if (!connection)
        return Promise.reject(new Error('The window that should answer is no longer connected.'))
      return calls.begin(connection, wait, (callId) =>
        fanOut.send(userId, [connection], toFrame({ type: 'call', call_id: callId, ...event })),
      )
    },
    isFocused: (userId) => [...hub.ofUser(userId)].some((connection) => connection.focused),
    handleUpgrade(request, socket, head) {
      const abandon = () => socket.destroy()
      socket.once('error', abandon)
      opening ??= openServer()
      void opening.then((opened) => {
        socket.off('error', abandon)
        opened.handleUpgrade(request, socket, head, (webSocket) =>
          accept(webSocket, request, socket),
        )
      })
    },
    recheck,
    close() {
      keepAlive.stop()
      const clients = [...(server?.clients ?? [])]
      for (const webSocket of clients) webSocket.close(1001, 'The gateway is stopping.')
      setTimeout(() => clients.forEach((webSocket) => webSocket.terminate()), 500).unref()
    },
  }
}

/** Sending frames nobody answers. */
function createSenders(
  hub: Hub,
  fanOut: FanOut,
): Pick<Events, 'emit' | 'emitTo' | 'emitToAll' | 'connected'> {
  return {
    emit(userId, event) {
      const connections = hub.ofUser(userId)
      if (connections.size === 0) return
      const frame = toFrame({
        type: 'events',
        chat_id: event.chat_id,
        message_id: event.message_id,
        data: event.data,
      })
      fanOut.send(userId, connections, frame)
    },
    emitTo(sessionId, userId, event) {
      const connection = hub.find(sessionId, userId)
      if (connection) fanOut.send(userId, [connection], toFrame({ type: 'events', ...event }))
    },
    emitToAll(userIds, event) {
      const connections: Connection[] = []
      for (const userId of userIds) connections.push(...hub.ofUser(userId))
      if (connections.length > 0)
        fanOut.send(
          `channel ${event.channel_id}`,
          connections,
          toFrame({ type: 'events:channel', ...event }),
        )
    },
    connected: () => hub.users(),
  }
}

const toFrame = (frame: ServerFrame): Buffer => toTextFrame(JSON.stringify(frame))
