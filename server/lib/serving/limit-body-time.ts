import type { IncomingMessage, ServerResponse } from 'node:http'

/** Minimum speed of a body. */
export interface BodyPace {
  /** Time limit for any body. */
  readonly milliseconds: number
  /**
   * Rate that extends the time limit by the bytes received so far, so that large bodies can arrive
   * over slow connections.
   */
  readonly bytesPerSecond: number
  /** Time of silence after which a connection is closed. */
  readonly silentMilliseconds: number
}

/** For files, which are written to disk as they arrive. */
const FILES: BodyPace = {
  milliseconds: 300_000,
  bytesPerSecond: 16_000,
  silentMilliseconds: 60_000,
}
/** For all other bodies, which are held in memory until they are complete. */
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
 * Closes connections whose requests arrive too slowly, or not at all.
 * @NOTE The HTTP server's own limit is one time for requests of any size, so it is switched off.
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
 * Nearly every body arrives together with its head: only those that did not within the same turn
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
 * Number of checks of a body per shortest limit, which bounds the additional time a body may get.
 */
const LOOKS_PER_LIMIT = 15

/**
 * Closes the connection of a body that arrives too slowly.
 * @NOTE The time limit follows from the received bytes: a declared length would gain time without
 *   any bytes being sent.
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
    // The client cannot send while the gateway does not read.
    if (socket.bytesRead > received || request.isPaused()) heard = now
    received = socket.bytesRead
    const allowed = pace.milliseconds + ((received - first) / pace.bytesPerSecond) * 1000
    if (now - heard < pace.silentMilliseconds && now - began < allowed) return
    clearInterval(timer)
    if (!response.headersSent)
      response
        .writeHead(408, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' })
        .end(JSON.stringify({ detail: toSentence(pace) }))
    // Node does not tell a request that was answered that its connection has ended, and whoever reads
    // it would wait forever.
    socket.once('close', () => request.destroy(new Error('Request aborted')))
    socket.destroySoon()
  }
  const timer = setInterval(
    look,
    Math.min(pace.milliseconds, pace.silentMilliseconds) / LOOKS_PER_LIMIT,
  ).unref()
  request.once('close', () => clearInterval(timer))
}
