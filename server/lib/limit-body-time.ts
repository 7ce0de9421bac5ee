import type { IncomingMessage, ServerResponse } from 'node:http'

/** How slowly a body may come. */
export interface BodyPace {
  /** For any body. */
  readonly milliseconds: number
  /** What a body that says its length gets on top, so that large files can come over slow lines. */
  readonly bytesPerSecond: number
  /** A connection that is silent this long is closed. */
  readonly silentMilliseconds: number
}

const USUAL: BodyPace = { milliseconds: 300_000, bytesPerSecond: 16_000, silentMilliseconds: 60_000 }
const TOO_SLOW = JSON.stringify({ detail: 'The request came too slowly and was given up. Check the connection and try again.' })

/**
 * Closes connections whose requests come too slowly, or not at all.
 * @NOTE The limit of the HTTP server itself is one time for requests of any size, so it is switched off.
 */
export function limitBodyTime(request: IncomingMessage, response: ServerResponse, pace: BodyPace = USUAL): void {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced === 0 && request.headers['transfer-encoding'] === undefined) return
  if (arrived.push({ request, response, pace: { ...pace, announced } }) === 1) setImmediate(watchUnfinished)
}

interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly pace: BodyPace & { readonly announced: number }
}

/** Nearly every body comes together with its head: only those that did not in the turn of their head are worth a timer. */
let arrived: Arrival[] = []

function watchUnfinished(): void {
  const arrivals = arrived
  arrived = []
  for (const { request, response, pace } of arrivals) if (!request.complete && !request.destroyed) watchBody(request, response, pace)
}

function watchBody(request: IncomingMessage, response: ServerResponse, { announced, ...pace }: Arrival['pace']): void {
  const { socket } = request
  const until = performance.now() + pace.milliseconds + (announced / pace.bytesPerSecond) * 1000
  let received = socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer)
    const isSilent = socket.bytesRead === received && !request.isPaused()
    received = socket.bytesRead
    if (!isSilent && performance.now() < until) return
    clearInterval(timer)
    if (!response.headersSent)
      response.writeHead(408, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' }).end(TOO_SLOW)
    socket.destroySoon()
  }, pace.silentMilliseconds).unref()
  request.once('close', () => clearInterval(timer))
}
