import type { IncomingMessage } from 'node:http'
import type { RawData, WebSocket } from 'ws'
import { SOCKET_CLOSE, type ServerFrame } from '#contract/events.ts'
import type { Auth, LiveCaller } from '../auth/index.ts'
import { randomToken } from '../lib/ids.ts'
import { parseFrame } from './parse-frame.ts'
import type { SocketLimits } from './socket-limits.ts'

export interface Frame {
  readonly data: RawData
  readonly isBinary: boolean
}

export interface Admission {
  readonly live: LiveCaller
  readonly sessionId: string
  /** Frames that arrived in the same packet as the credential. */
  readonly early: readonly Frame[]
  /** Number of sockets of the user that came before it; null if there is only this gateway. */
  readonly place: number | null
}

interface AdmitOptions {
  webSocket: WebSocket
  request: IncomingMessage
  auth: Pick<Auth, 'liveCallers'>
  timeoutMs: number
  limits: Pick<SocketLimits, 'explainRichness'>
  /**
   * Ensures that the socket receives all events sent from now on, and resolves with the number of
   * sockets before it; must be awaited before `ready`.
   */
  enter?: (sessionId: string, userId: string) => Promise<number>
}

/**
 * Identifies the user who opened a socket: by the headers of the upgrade, otherwise by its first
 * frame. Sends `ready` and resolves with the identity, or closes the socket and resolves with null.
 * Accounts awaiting approval get no socket.
 */
export async function admitSocket({
  webSocket,
  request,
  auth,
  timeoutMs,
  limits,
  enter,
}: AdmitOptions): Promise<Admission | null> {
  const frames = holdFrames(webSocket)
  const live =
    (await identifyByHeaders(auth, request)) ??
    (await identifyByFirstFrame({ request, auth, timeoutMs, limits }, frames))
  const early = frames.release()
  if (webSocket.readyState !== webSocket.OPEN) return null
  if (!live || live.caller.role === 'pending' || !(await live.isValid())) {
    webSocket.close(SOCKET_CLOSE.unauthenticated, 'Not authenticated')
    return null
  }
  const sessionId = randomToken()
  const { userId, name, role } = live.caller
  const place = enter ? await enter(sessionId, userId) : null
  const ready: ServerFrame = {
    type: 'ready',
    session_id: sessionId,
    user: { id: userId, name, role },
  }
  webSocket.send(JSON.stringify(ready))
  return { live, sessionId, early, place }
}

/**
 * Identifies by headers. A cookie counts only together with an `Origin`, which the guard has
 * compared: other local programs send none.
 */
async function identifyByHeaders(
  auth: AdmitOptions['auth'],
  request: IncomingMessage,
  sessionKey?: string,
): Promise<LiveCaller | null> {
  try {
    return await auth.liveCallers.byHeaders(request, {
      allowCookie: request.headers.origin !== undefined,
      sessionKey,
    })
  } catch {
    // After a rejected header, the first frame is a second chance for clients with a stale cookie.
    return null
  }
}

type FirstFrameOptions = Pick<AdmitOptions, 'request' | 'auth' | 'timeoutMs' | 'limits'>

/** Identifies by a separate token, or by the second half of the session in the cookie. */
function identifyByFirstFrame(
  { request, auth, timeoutMs, limits }: FirstFrameOptions,
  frames: EarlyFrames,
): Promise<LiveCaller | null> {
  return new Promise((resolve) => {
    const finish = (live: LiveCaller | null) => {
      clearTimeout(timer)
      resolve(live)
    }
    const timer = setTimeout(() => finish(null), timeoutMs)
    void frames.first().then((frame) => {
      const isReadable =
        frame && !frame.isBinary && limits.explainRichness(frame.data as Buffer) === null
      const sent = isReadable ? parseFrame(frame.data) : null
      if (sent?.type !== 'auth') return finish(null)
      if (sent.token === undefined) return identifyByHeaders(auth, request, sent.key).then(finish)
      return Promise.resolve(auth.liveCallers.byToken(sent.token, request)).then(finish, () =>
        finish(null),
      )
    })
  })
}

/**
 * Buffers the frames that arrive before there is a connection to read them; the socket stays paused
 * meanwhile.
 */
interface EarlyFrames {
  /** Resolves with the first frame, or null if the socket closed without one. */
  first(): Promise<Frame | null>
  /** Stops buffering and returns the frames after the first one. */
  release(): Frame[]
}

function holdFrames(webSocket: WebSocket): EarlyFrames {
  const held: Frame[] = []
  let onFirst: ((frame: Frame | null) => void) | null = null
  const onFrame = (data: RawData, isBinary: boolean) => {
    webSocket.pause()
    held.push({ data, isBinary })
    onFirst?.(held.shift()!)
    onFirst = null
  }
  webSocket.pause()
  webSocket.on('message', onFrame)
  return {
    first() {
      return new Promise((resolve) => {
        const already = held.shift()
        if (already) return resolve(already)
        onFirst = resolve
        webSocket.once('close', () => resolve(null))
        webSocket.resume()
      })
    },
    release() {
      webSocket.off('message', onFrame)
      webSocket.resume()
      return held
    },
  }
}
