import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { SOCKET_CLOSE, type ClientFrame, type ServerFrame } from '#contract/events.ts'
import type { ChannelSignal } from '#contract/channel-events.ts'
import type { Admission } from './admit-socket.ts'
import { parseFrame } from './parse-frame.ts'
import type { Caller } from '../lib/http.ts'
import type { PendingCalls } from './pending-calls.ts'

/** One admitted socket. */
export interface Connection {
  readonly sessionId: string
  readonly userId: string
  readonly focused: boolean
  isOpen(): boolean
  /** Whether the credential that opened the socket would still be accepted. */
  isValid(): boolean
  /**
   * Sends a whole WebSocket frame whose bytes may be shared with other sockets; a socket that does
   * not drain is skipped.
   */
  send(frame: Buffer): void
  /** Pings; false when the last ping was not answered. */
  ping(): boolean
  end(code: number, reason: string): void
  terminate(): void
}

/** What a client says of a channel. Answers a sentence when it is not taken. */
export type TakeSignal = (
  caller: Caller,
  channelId: string,
  signal: ChannelSignal,
) => Promise<string | null>

interface ConnectionOptions extends Admission {
  webSocket: WebSocket
  /** The stream below the socket, which knows when it has drained. */
  socket: Duplex
  stalledMs: number
  calls: PendingCalls
  takeSignal: TakeSignal
}

/** Bytes a socket may lag behind before it is skipped. */
const MAX_BACKLOG_BYTES = 512 * 1024
const MAX_FRAMES_PER_SECOND = 100
const CLOSE_GRACE_MS = 2000

export function createConnection(options: ConnectionOptions): Connection {
  const { webSocket, socket, live, sessionId, early, stalledMs, calls, takeSignal } = options
  let focused = false
  let answered = true
  let stalled: NodeJS.Timeout | null = null
  const isTooFast = createRateCheck(MAX_FRAMES_PER_SECOND)

  function end(code: number, reason: string): void {
    webSocket.close(code, reason)
    setTimeout(() => webSocket.terminate(), CLOSE_GRACE_MS).unref()
  }

  function markStalled(): void {
    stalled = setTimeout(() => end(SOCKET_CLOSE.slow, 'The socket does not keep up.'), stalledMs)
    stalled.unref()
    socket.once('drain', () => {
      if (stalled) clearTimeout(stalled)
      stalled = null
    })
  }

  const reply = (frame: ServerFrame) => {
    if (!stalled) webSocket.send(JSON.stringify(frame))
  }

  function receive(data: RawData, isBinary: boolean): void {
    if (isTooFast())
      return end(
        1008,
        `More than ${MAX_FRAMES_PER_SECOND} frames in a second were sent. This limit is fixed.`,
      )
    if (!live.isValid()) return end(SOCKET_CLOSE.revoked, 'The sign-in is no longer valid.')
    if (isBinary) return end(1003, 'Send text frames of JSON.')
    const frame = parseFrame(data)
    if (frame === null)
      return reply({ type: 'error', detail: 'This is not a frame the gateway knows.' })
    obey(frame)
  }

  function obey(frame: ClientFrame): void {
    switch (frame.type) {
      case 'ping':
        return reply({ type: 'pong' })
      case 'focus':
        focused = frame.focused
        return
      case 'call:result':
        return calls.resolve(connection, frame.call_id, frame.result)
      case 'call:error':
        return calls.reject(connection, frame.call_id, frame.error)
      case 'channel':
        return void takeSignal(live.caller, frame.channel_id, frame.data).then(
          (problem) => problem !== null && reply({ type: 'error', detail: problem }),
        )
      case 'auth':
        return reply({
          type: 'error',
          detail: 'The socket is already signed in. Open a new one to change the user.',
        })
    }
  }

  const connection: Connection = {
    sessionId,
    userId: live.caller.userId,
    get focused() {
      return focused
    },
    isOpen: () => webSocket.readyState === webSocket.OPEN,
    isValid: () => live.isValid(),
    send(frame) {
      if (stalled || webSocket.readyState !== webSocket.OPEN) return
      // Straight to the stream: without compression `ws` writes each of its frames whole and at
      // once, so none can be cut.
      socket.write(frame)
      if (socket.writableLength > MAX_BACKLOG_BYTES) markStalled()
    },
    ping() {
      if (!answered) return false
      answered = false
      webSocket.ping()
      return true
    },
    end,
    terminate: () => webSocket.terminate(),
  }
  for (const frame of early) receive(frame.data, frame.isBinary)
  webSocket.on('message', receive)
  webSocket.on('pong', () => (answered = true))
  webSocket.once('close', () => stalled && clearTimeout(stalled))
  return connection
}

function createRateCheck(limit: number): () => boolean {
  let windowStart = 0
  let count = 0
  return () => {
    const now = performance.now()
    if (now - windowStart >= 1000) {
      windowStart = now
      count = 0
    }
    count += 1
    return count > limit
  }
}
