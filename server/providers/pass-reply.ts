import type { ServerResponse } from 'node:http'
import { upstreamFailed, type ServiceError } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'
import type { OutgoingReply } from '../lib/outgoing.ts'
import { CallerWriter } from './caller-writer.ts'
import { completionsFormat } from './compatible/relay-completions.ts'
import { parseWhole, type WholeDocument } from './compatible/parse-whole.ts'
import { readWhole, relayReply, sendWhole } from './compatible/relay.ts'
import { createPassedGuard } from './guard-passed.ts'
import { isSuccess, readFaultBody, requireReadable, type Upstream } from './upstream.ts'
import {
  hideSecrets,
  incomplete,
  toNetworkFault,
  toPassedFault,
  toReportedFault,
  toRetryHeader,
  unreadable,
  type FaultContext,
} from './upstream-faults.ts'

/**
 * Who gets a reply, and whether failures go on as the other side wrote them instead of in the
 * gateway's form.
 */
export interface PassTarget {
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly keepsErrors?: boolean
  /** Whether a stream was asked for. */
  readonly stream?: boolean
  /**
   * Whether a chat completion was asked for, whose answer is known well enough to be checked and
   * converted.
   */
  readonly isChatCompletion?: boolean
  /**
   * What the local runtime was asked for: an answer, whose last line says that it is done, or a
   * document.
   */
  readonly expects?: 'answer' | 'document'
  /** Sees the bytes of an answer as they pass. */
  readonly watch?: ((chunk: Buffer) => void) | undefined
}

/** What a browser could take for a page or a program is handed on as plain bytes. */
const SAFE_TYPE =
  /^(application\/(json|x-ndjson|octet-stream)|text\/(event-stream|plain)|audio\/[\w.+-]+)\s*(;|$)/i

function toHead(
  { headers }: OutgoingReply,
  type: string | undefined,
  isStream: boolean,
): Record<string, string> {
  const { 'content-length': length } = headers
  return {
    'Content-Type': type !== undefined && SAFE_TYPE.test(type) ? type : 'application/octet-stream',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
    // A stream may have to end otherwise than the other side meant.
    ...(length !== undefined && !isStream && { 'Content-Length': length }),
  }
}

const NOTHING = Buffer.alloc(0)

/**
 * How a stream of a known kind says that it broke off; null when only closing the connection can
 * say it.
 */
function toEnding(type: string, fault: ServiceError): string | null {
  if (type.startsWith(LINES_TYPE)) return `${JSON.stringify({ error: fault.message })}\n`
  if (!type.startsWith('text/event-stream')) return null
  const error = { message: fault.message, type: 'server_error', code: fault.code }
  return `data: ${JSON.stringify({ error })}\n\ndata: [DONE]\n\n`
}

/** The same reply with its bytes shown to somebody else as they pass. */
function watched(reply: OutgoingReply, watch: (chunk: Buffer) => void): OutgoingReply {
  const show = (chunk: Buffer): Buffer => {
    watch(chunk)
    return chunk
  }
  return {
    status: reply.status,
    headers: reply.headers,
    read: (sink) =>
      reply.read({
        onData: (chunk) => sink.onData(show(chunk)),
        onEnd: () => sink.onEnd(),
        onFailure: (error) => sink.onFailure(error),
      }),
    bytes: async (limit) => show(await reply.bytes(limit)),
    chunks: () => reply.chunks(),
    pause: () => reply.pause(),
    resume: () => reply.resume(),
    abort: () => reply.abort(),
  }
}

/** Throws what the other side says when a call failed. */
export async function requireSuccess(reply: OutgoingReply, { faults }: Upstream): Promise<void> {
  const { status, headers } = reply
  if (!isSuccess(reply))
    throw toPassedFault(
      { status, headers, body: (await readFaultBody(reply)).toString('utf8') },
      faults,
    )
}

async function failedReply(
  reply: OutgoingReply,
  target: PassTarget,
  { faults }: Upstream,
): Promise<void> {
  const { status, headers } = reply
  const body = (await readFaultBody(reply)).toString('utf8')
  const isOwnAnswer =
    target.keepsErrors && status >= 400 && /json/i.test(headers['content-type'] ?? '')
  if (!isOwnAnswer) throw toPassedFault({ status, headers, body }, faults)
  const bytes = Buffer.from(hideSecrets(body, faults))
  target.response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    ...toRetryHeader(status, headers),
  })
  target.response.end(bytes)
}

const LINES_TYPE = 'application/x-ndjson'

const isWholeJson = (
  { status, headers }: OutgoingReply,
  { stream, expects }: PassTarget,
): boolean =>
  !stream &&
  (expects !== undefined ||
    (status === 200 && /^application\/([\w.+-]+\+)?json\b/i.test(headers['content-type'] ?? '')))

/** The local runtime says in each of its answers whether it is the last piece. */
const isPiece = ({ value }: WholeDocument, { expects }: PassTarget): boolean =>
  expects === 'answer'
    ? !isRecord(value) || value['done'] !== true
    : isRecord(value) && value['done'] === false

/** Hands a whole answer on that says to be JSON. 502 when it is none, or was cut off. */
async function passDocument(
  reply: OutgoingReply,
  target: PassTarget,
  faults: FaultContext,
): Promise<void> {
  const bytes = await readWhole(reply, target.signal, faults)
  const document = await parseWhole(bytes, faults)
  const error = target.expects && isRecord(document.value) ? document.value['error'] : null
  if (error != null) throw toReportedFault(error, faults)
  if (isPiece(document, target)) throw incomplete(faults)
  await sendWhole(target.response, bytes, document)
}

/**
 * Hands a reply on byte for byte, no faster than its caller reads. Resolves when it has ended;
 * throws only before its head was written.
 */
export async function passReply(
  given: OutgoingReply,
  target: PassTarget,
  upstream: Upstream,
): Promise<void> {
  const reply = target.watch ? watched(given, target.watch) : given
  if (!isSuccess(reply)) return failedReply(reply, target, upstream)
  if (reply.status === 206) {
    reply.abort()
    throw upstreamFailed(
      `The connection "${upstream.faults.name}" sent a part of an answer although the whole was asked for.`,
    )
  }
  const { faults } = upstream
  requireReadable(reply, faults)
  if (target.isChatCompletion)
    return relayReply(reply, target, { faults, format: completionsFormat })
  if (isWholeJson(reply, target)) return passDocument(reply, target, faults)
  const { response, signal } = target
  // The runtime's own streams are lines, whatever their type says.
  const isAnswer = target.expects === 'answer'
  const type = isAnswer ? LINES_TYPE : reply.headers['content-type']
  const guard = createPassedGuard(type ?? '', { isAnswer })
  response.writeHead(isAnswer ? 200 : reply.status, toHead(reply, type, guard !== null))
  const caller = new CallerWriter(response, reply)
  return new Promise((resolve) => {
    /**
     * Passes what is left and says what is wrong; a reply of no known kind can only be cut to say
     * it.
     */
    function endWith(error: unknown): void {
      const ending = signal.aborted
        ? ''
        : toEnding((type ?? '').toLowerCase(), toNetworkFault(error, faults))
      if (ending === null) response.destroy()
      caller.end(Buffer.concat([guard?.end() ?? NOTHING, Buffer.from(ending ?? '')]))
      resolve()
    }
    function breakOff(error: unknown): void {
      if (response.writableEnded) return
      if (guard?.isWhole()) onEnd()
      else endWith(error)
    }
    function onEnd(): void {
      if (response.writableEnded) return
      const rest = guard?.end() ?? NOTHING
      if (rest.length > 0) caller.write(rest)
      if (guard && !guard.isWhole()) return endWith(incomplete(faults))
      caller.end(NOTHING)
      resolve()
    }
    reply.read({
      onData(chunk) {
        caller.write(guard ? guard.push(chunk) : chunk)
        if (!guard?.isBroken()) return true
        endWith(unreadable(faults))
        reply.abort()
        return false
      },
      onEnd,
      onFailure: breakOff,
    })
    // A first piece that is already here takes the head with it.
    if (caller.isEmpty() && !response.writableEnded) response.flushHeaders()
  })
}
