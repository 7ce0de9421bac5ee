import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { WebSocket, type RawData } from 'ws'
import type { LiveCaller } from '../auth/index.ts'
import { Events, type EventTimes } from '../events/index.ts'
import { createLogger } from '../lib/logger.ts'
import type { Live } from '../live/index.ts'
import { settingsOf } from './settings-of.ts'

/**
 * Creates credentials as the sign-in domain would check them: `<user>` as token, valid until
 * revoked.
 */
function createCredentials() {
  const revoked = new Set<string>()
  const listeners: ((userId: string) => void)[] = []
  const judge = (token: string | undefined): LiveCaller | null => {
    if (!token || token.startsWith('bad') || revoked.has(token)) return null
    const role = token.startsWith('pending') ? 'pending' : 'user'
    const caller = {
      userId: token,
      role,
      name: `Name of ${token}`,
      email: `${token}@localhost`,
      credential: 'bearer',
      keyId: null,
    } as const
    return { caller, isValid: async () => !revoked.has(token) }
  }
  return {
    liveCallers: {
      byToken: async (token: string) => judge(token),
      async byHeaders(request: IncomingMessage, { allowCookie }: { allowCookie: boolean }) {
        const bearer = request.headers.authorization?.slice('Bearer '.length)
        if (bearer === 'bad-throws') throw new Error('refused')
        return judge(
          bearer ?? (allowCookie ? request.headers.cookie?.slice('token='.length) : undefined),
        )
      },
    },
    peers: {
      isLocal: () => false,
      limitSubject: (request: IncomingMessage) => String(request.socket.remoteAddress),
    },
    onRevoked: (listener: (userId: string) => void) => void listeners.push(listener),
    revoke(userId: string, announce = true) {
      revoked.add(userId)
      if (announce) for (const listener of listeners) listener(userId)
    },
  }
}

const LIMITS = {
  WEBSOCKET_MAX_WAITING: 50,
  WEBSOCKET_MAX_PER_ACCOUNT: 12,
  WEBSOCKET_MAX_EVENT_SIZE: 1,
  WEBSOCKET_MAX_FRAME_VALUES: 20_000,
  WEBSOCKET_MAX_FRAME_DEPTH: 100,
}

/** Starts a socket hub on a separate server, closed at the end of the test. */
export async function startSocketHub(times?: Partial<EventTimes>, live: Live | null = null) {
  const auth = createCredentials()
  const events = new Events({
    auth,
    settings: settingsOf(LIMITS),
    live,
    log: createLogger('silent'),
    times,
  })
  await events.open()
  const server = createServer()
  server.on('upgrade', (request, socket, head) => events.handleUpgrade(request, socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    events.close()
    server.close()
  })
  return {
    auth,
    events,
    port,
    open: (headers: Record<string, string> = {}) => openSocket(port, headers),
  }
}

export type Frame = Record<string, unknown>

function openSocket(port: number, headers: Record<string, string>) {
  const webSocket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers })
  const frames: Frame[] = []
  const waiting: (() => void)[] = []
  const wake = () => waiting.splice(0).forEach((resolve) => resolve())
  let closeCode = 0
  webSocket.on('message', (data: RawData) => {
    frames.push(JSON.parse((data as Buffer).toString()) as Frame)
    wake()
  })
  webSocket.on('close', (code) => {
    closeCode = code
    wake()
  })
  webSocket.on('error', () => undefined)
  onTestFinished(() => webSocket.terminate())
  return {
    webSocket,
    frames,
    send: (frame: unknown) =>
      webSocket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    opened: () => once(webSocket, 'open'),
    async next(): Promise<Frame> {
      while (frames.length === 0 && closeCode === 0)
        await new Promise<void>((resolve) => waiting.push(resolve))
      const frame = frames.shift()
      if (!frame) throw new Error(`closed with ${closeCode}`)
      return frame
    },
    async closed(): Promise<number> {
      while (closeCode === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      return closeCode
    },
  }
}

export const bearer = (user: string) => ({ authorization: `Bearer ${user}` })
export const anEvent = (type: string, data: unknown = {}) => ({
  chat_id: 'chat',
  message_id: 'message',
  data: { type: 'foreign', data: { type, data } } as const,
})
