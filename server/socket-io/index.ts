import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Server, Socket } from 'socket.io'
import { SOCKET_IO_PATH } from '#contract/events.ts'
import type { Auth } from '../auth/index.ts'
import type { Channels } from '../channels/index.ts'
import type { Chats } from '../chats/index.ts'
import type { Config } from '../config/config.ts'
import { createRateCheck, MAX_FRAMES_PER_SECOND, type Events } from '../events/index.ts'
import { badRequest, forbidden } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import { createServer } from '../lib/serving/node-http.ts'
import { boundParser } from './bound-parser.ts'
import { Client } from './client.ts'
import { receive } from './receive.ts'
import { SocketIoSockets } from './sockets.ts'

export interface SocketIoDependencies {
  readonly auth: Pick<Auth, 'liveCallers' | 'peers'>
  readonly chats: Pick<Chats, 'markRead' | 'message' | 'title'>
  readonly channels: Channels
  readonly events: Pick<Events, 'attach' | 'enter' | 'leave' | 'limits' | 'takeSignal'>
  readonly config: Pick<Config, 'hasSocketIoWebsockets'>
  /** Null where no other gateway can share the database. */
  readonly live: { readonly replicas: { readonly isAlone: boolean } } | null
  readonly log: Logger
}

/** Values the reference system sends to clients when they connect, in milliseconds and bytes. */
const PING_INTERVAL = 25_000
const PING_TIMEOUT = 20_000
const MAX_PACKET_BYTES = 1_000_000
const WEBSOCKET = 'websocket'
const PROTOCOL = '4'
const TOO_MANY = 429

/** A client that can be refused. */
interface Refusable {
  close(code: number, reason: string): void
}

/** A connection of the library below its sockets. */
interface EngineConnection {
  readonly request: IncomingMessage
  once(event: 'close', listener: () => void): void
}

/**
 * The Socket.IO endpoint for clients written for the reference system: the same events as the
 * gateway's socket, in the reference system's format. Nothing of it is loaded before the first
 * client connects.
 */
export class SocketIo {
  readonly #deps: SocketIoDependencies
  readonly #sockets: SocketIoSockets
  /** Callbacks for the sign-in on a socket, by its first request. */
  readonly #waiting = new Map<IncomingMessage, () => void>()
  /** First requests for which a connection was opened. */
  readonly #connected = new WeakSet<IncomingMessage>()
  #opening: Promise<Server> | undefined
  #server: Server | undefined

  constructor(deps: SocketIoDependencies) {
    this.#deps = deps
    const { channels, chats, events, log } = deps
    const texts = {
      textOf: async (chatId: string, messageId: string) =>
        (await chats.message(chatId, messageId))?.content ?? '',
      titleOf: (chatId: string) => chats.title(chatId).catch(() => ''),
    }
    const recordOf = (id: string) => channels.describe(id)
    this.#sockets = new SocketIoSockets({ texts, recordOf, log })
    events.attach(this.#sockets)
  }

  /** The caller must have checked path, Host, Origin and transport. */
  async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const abandon = () => socket.destroy()
    socket.once('error', abandon)
    const { engine } = await (this.#opening ??= this.#open())
    socket.off('error', abandon)
    const leave = this.#wait(request, { close: () => socket.destroy() })
    if (!leave) return
    socket.once('close', leave)
    engine.handleUpgrade(request as never, socket, head)
  }

  /** Throws for an upgrade of another protocol version, and if websockets are switched off. */
  requireTransport(request: IncomingMessage): void {
    if (!this.#isOn())
      throw forbidden('Websockets of Socket.IO are switched off (ENABLE_WEBSOCKET_SUPPORT).')
    if (transportOf(request) !== WEBSOCKET) throw badRequest('Invalid transport')
  }

  /**
   * Long polling if websockets are switched off and no other gateway shares the database; otherwise
   * the same refusals as the reference system.
   */
  async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const transport = transportOf(request)
    if (this.#isOn() || transport !== 'polling')
      return refuse(
        response,
        transport === WEBSOCKET && this.#isOn()
          ? { detail: 'Invalid WebSocket upgrade request' }
          : 'Invalid transport',
      )
    // The polls of one client would reach gateways that do not have its session.
    if (!(this.#deps.live?.replicas.isAlone ?? true))
      throw badRequest(
        'Long polling of Socket.IO works with one gateway, and several share this database. An administrator can set ENABLE_WEBSOCKET_SUPPORT to true, so that clients connect by websocket.',
      )
    const { engine } = await (this.#opening ??= this.#open())
    if (isHandshake(request) && !this.#holdPlace(request, response)) return
    engine.handleRequest(request as never, response)
  }

  /** Disconnects all clients, including those not signed in. */
  async close(): Promise<void> {
    await this.#server?.close()
  }

  #isOn(): boolean {
    return this.#deps.config.hasSocketIoWebsockets
  }

  async #open(): Promise<Server> {
    const [socketIo, parser] = await Promise.all([import('socket.io'), import('socket.io-parser')])
    const server = new socketIo.Server({
      path: SOCKET_IO_PATH,
      transports: ['websocket', 'polling'],
      allowUpgrades: false,
      serveClient: false,
      pingInterval: PING_INTERVAL,
      pingTimeout: PING_TIMEOUT,
      maxHttpBufferSize: MAX_PACKET_BYTES,
      parser: boundParser(parser, this.#deps.events.limits),
    })
    // The library requires its own listener; the gateway's listener passes calls to it.
    server.attach(createServer())
    server.engine.on('connection', (connection: EngineConnection) => {
      const { request } = connection
      this.#connected.add(request)
      connection.once('close', () => this.#waiting.get(request)?.())
    })
    server.on('connection', (socket) => void this.#accept(socket))
    return (this.#server = server)
  }

  /**
   * Counts a client that is not signed in, and returns the function that ends its count; null if
   * its IP address has too many and the client was refused.
   */
  #wait(request: IncomingMessage, client: Refusable): (() => void) | null {
    const { limits } = this.#deps.events
    const address = this.#deps.auth.peers.limitSubject(request)
    if (!limits.enter(address, client)) return null
    const leave = () => {
      if (this.#waiting.delete(request)) limits.leave(address)
    }
    this.#waiting.set(request, leave)
    return leave
  }

  /**
   * Counts a client of long polling until it signs in or disconnects; returns false if it was
   * refused. A handshake that fails opens no connection, so its count ends with the response.
   */
  #holdPlace(request: IncomingMessage, response: ServerResponse): boolean {
    const leave = this.#wait(request, {
      close: (_code, reason) => refuse(response, { detail: reason }, TOO_MANY),
    })
    if (leave) response.once('close', () => void (this.#connected.has(request) || leave()))
    return leave !== null
  }

  /**
   * A wrong token is not refused; a client without a valid one receives nothing until a
   * `user-join`.
   */
  async #accept(socket: Socket): Promise<void> {
    const client = new Client(socket)
    const signIn = (token: unknown) => this.#signIn(client, token)
    const isTooFast = createRateCheck(MAX_FRAMES_PER_SECOND)
    let received = this.#attempt(() => signIn(socket.handshake.auth['token']))
    socket.once('disconnect', () => {
      // A client that only leaves its namespace would stay connected without being counted.
      socket.conn.close()
      if (!client.live) return
      this.#sockets.remove(client.live.caller.userId, client)
      this.#deps.events.leave(client.sessionId, client.live.caller.userId)
    })
    socket.onAny((...args: unknown[]) => {
      if (isTooFast()) return void socket.disconnect(true)
      received = received.then(() => this.#attempt(() => this.#receive(client, signIn, args)))
    })
    await received
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#deps.log.warn({ error }, 'an event of a client could not be processed')
    }
  }

  async #receive(
    client: Client,
    signIn: (token: unknown) => Promise<Caller | null>,
    args: readonly unknown[],
  ): Promise<void> {
    if (client.live && !(await client.live.isValid())) return void client.socket.disconnect(true)
    const { chats, events } = this.#deps
    await receive({ signIn, takeSignal: events.takeSignal, chats }, client, args)
  }

  async #signIn(client: Client, token: unknown): Promise<Caller | null> {
    if (client.live) return client.live.caller
    if (typeof token !== 'string' || token === '') return null
    const live = await this.#deps.auth.liveCallers.byToken(token, client.request, {
      allowPending: true,
    })
    if (!live || !(await live.isValid())) return null
    const { caller } = live
    // Accounts waiting for approval may identify themselves, but receive nothing.
    if (caller.role === 'pending' || !client.socket.connected) return caller
    const refuse = { close: () => void client.socket.disconnect(true) }
    if (!this.#deps.events.limits.admit(this.#sockets.count(caller.userId), refuse)) return null
    // There is nothing to wait for if there is no other gateway.
    const entering = this.#deps.events.enter(client.sessionId, caller.userId)
    if (entering) await entering
    if (!client.socket.connected) {
      this.#deps.events.leave(client.sessionId, caller.userId)
      return caller
    }
    this.#waiting.get(client.request)?.()
    client.signIn(live)
    this.#sockets.add(caller.userId, client)
    return caller
  }
}

/** Returns the transport a URL names; null for another version of the protocol. */
function transportOf({ url }: IncomingMessage): string | null {
  const query = new URLSearchParams(url?.split('?')[1])
  return query.get('EIO') === PROTOCOL ? query.get('transport') : null
}

/** Reports whether a request of long polling opens a new connection. */
const isHandshake = ({ url }: IncomingMessage): boolean =>
  !new URLSearchParams(url?.split('?')[1]).get('sid')

function refuse(response: ServerResponse, answer: unknown, status = 400): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(answer))
}
