import type { IncomingMessage, ServerResponse } from 'node:http'

/** How slowly a body may come. */
export interface BodyPace {
  /** For any body. */
  readonly milliseconds: number
  /** On top for what has come by then, so that large bodies can come over slow lines. */
  readonly bytesPerSecond: number
  /** A connection that is silent this long is closed. */
  readonly silentMilliseconds: number
}

/** For files, which go to the disk as they come. */
const FILES: BodyPace = {
  milliseconds: 300_000,
  bytesPerSecond: 16_000,
  silentMilliseconds: 60_000,
}
/** For all other bodies, which are held in memory until they are whole. */
const DOCUMENTS: BodyPace = {
  milliseconds: 30_000,
  bytesPerSecond: 64_000,
  silentMilliseconds: 15_000,
}
const FILE_TYPES = /^(multipart\/form-data|application\/(octet-stream|zip|x-zip-compressed))\b/i

const toSentence = ({ milliseconds, bytesPerSecond, silentMilliseconds }: BodyPace): string =>
  'The request came too slowly and was given up. ' +
  `It may be silent for ${silentMilliseconds / 1000} seconds and take ${milliseconds / 1000} seconds, ` +
  `and one more for every ${bytesPerSecond} bytes. This limit is fixed. Check the connection and try again.`

const paceOf = ({ headers }: IncomingMessage): BodyPace =>
  FILE_TYPES.test(headers['content-type'] ?? '') ? FILES : DOCUMENTS

/**
 * Closes connections whose requests come too slowly, or not at all.
 * @NOTE The limit of the HTTP server itself is one time for requests of any size, so it is switched
 *   off.
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  pace?: BodyPace,
): void {
  if (
    Number(request.headers['content-length'] ?? 0) === 0 &&
    request.headers['transfer-encoding'] === undefined
  )
    return
  if (arrived.push({ request, response, pace }) === 1) setImmediate(watchUnfinished)
}

interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly pace: BodyPace | undefined
}

/**
 * Nearly every body comes together with its head: only those that did not in the turn of their head
 * are worth a timer.
 */
let arrived: Arrival[] = []

function watchUnfinished(): void {
  const arrivals = arrived
  arrived = []
  for (const { request, response, pace } of arrivals)
    if (!request.complete && !request.destroyed)
      watchBody(request, response, pace ?? paceOf(request))
}

/**
 * Between two looks at a body: what it is given at most beyond what is said, as a share of its
 * shortest limit.
 */
const LOOKS_PER_LIMIT = 15

/**
 * @NOTE The time follows from what has come: what a body says of its length would buy time that no
 *   byte was sent for.
 */
function watchBody(request: IncomingMessage, response: ServerResponse, pace: BodyPace): void {
  const { socket } = request
  const began = performance.now()
  const first = socket.bytesRead
  let received = first
  let heard = began
  const look = (): void => {
    if (request.complete) return clearInterval(timer)
    const now = performance.now()
    // The client cannot send what the gateway does not take.
    if (socket.bytesRead > received || request.isPaused()) heard = now
    received = socket.bytesRead
    const allowed = pace.milliseconds + ((received - first) / pace.bytesPerSecond) * 1000
    if (now - heard < pace.silentMilliseconds && now - began < allowed) return
    clearInterval(timer)
    if (!response.headersSent)
      response
        .writeHead(408, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' })
        .end(JSON.stringify({ detail: toSentence(pace) }))
    socket.destroySoon()
  }
  const timer = setInterval(
    look,
    Math.min(pace.milliseconds, pace.silentMilliseconds) / LOOKS_PER_LIMIT,
  ).unref()
  request.once('close', () => clearInterval(timer))
}
