import type { ServerResponse } from 'node:http'
import { upstreamFailed, type ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { OutgoingReply } from '../../lib/outgoing/outgoing.ts'
import type { ReplySink } from '../../lib/outgoing/paced-delivery.ts'
import { hideSecrets, readFaultBody } from '../../lib/outgoing/read-fault.ts'
import { CallerWriter } from './caller-writer.ts'
import { completionsFormat } from '../compatible/relay-completions.ts'
import { parseWhole, type WholeDocument } from '../compatible/parse-whole.ts'
import { readWhole, relayReply, sendWhole } from '../compatible/relay.ts'
import { createPassedGuard } from './guard-passed.ts'
import { isSuccess, requireReadable, type Upstream } from './upstream.ts'
import {
  incomplete,
  toNetworkFault,
  toPassedFault,
  toReportedFault,
  toRetryHeader,
  unreadable,
  type FaultContext,
} from './upstream-faults.ts'

/**
 * Receiver of a reply; `keepsErrors` relays failures as the upstream wrote them instead of in the
 * gateway's form.
 */
export interface PassTarget {
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly keepsErrors?: boolean
  /** True if a stream was requested. */
  readonly stream?: boolean
  /**
   * True if a chat completion was requested, whose response is known well enough to be checked and
   * converted.
   */
  readonly isChatCompletion?: boolean
  /**
   * Expected response of the local runtime: an answer, whose last line is marked as done, or a
   * document.
   */
  readonly expects?: 'answer' | 'document'
  /** Called with the bytes of an answer as they pass. */
  readonly watch?: (chunk: Buffer) => void
}

/**
 * Content types that are kept; anything a browser could interpret as a page or script is sent as
 * plain bytes.
 */
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
    // A stream may have to end differently than the upstream intended.
    ...(length !== undefined && !isStream && { 'Content-Length': length }),
  }
}

const NOTHING = Buffer.alloc(0)

/**
 * Returns the text that reports an interruption in a stream of a known kind; null if only closing
 * the connection can report it.
 */
function toEnding(type: string, fault: ServiceError): string | null {
  if (type.startsWith(LINES_TYPE)) return `${JSON.stringify({ error: fault.message })}\n`
  if (!type.startsWith('text/event-stream')) return null
  const error = { message: fault.message, type: 'server_error', code: fault.code }
  return `data: ${JSON.stringify({ error })}\n\ndata: [DONE]\n\n`
}

/** Reply of a provider whose bytes are also passed to an observer. */
class WatchedReply implements OutgoingReply {
  readonly #reply: OutgoingReply
  readonly #watch: (chunk: Buffer) => void

  constructor(reply: OutgoingReply, watch: (chunk: Buffer) => void) {
    this.#reply = reply
    this.#watch = watch
  }

  get status(): number {
    return this.#reply.status
  }

  get headers(): OutgoingReply['headers'] {
    return this.#reply.headers
  }

  read(sink: ReplySink): void {
    this.#reply.read({
      room: (length) => sink.room?.(length) ?? null,
      onData: (chunk) => {
        this.#watch(chunk)
        return sink.onData(chunk)
      },
      onEnd: () => sink.onEnd(),
      onFailure: (error) => sink.onFailure(error),
    })
  }

  async bytes(limit: number, watch?: (piece: Buffer) => void): Promise<Buffer> {
    const bytes = await this.#reply.bytes(limit, watch)
    this.#watch(bytes)
    return bytes
  }

  chunks(): ReturnType<OutgoingReply['chunks']> {
    return this.#reply.chunks()
  }

  pause(): void {
    this.#reply.pause()
  }

  resume(): void {
    this.#reply.resume()
  }

  abort(): void {
    this.#reply.abort()
  }
}

/** Throws the upstream's error if a call failed. */
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
  const bytes = Buffer.from(hideSecrets(body, faults.secrets))
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

/**
 * Returns true if a document of the local runtime is not the last chunk: each of its answers states
 * whether it is.
 */
const isPiece = ({ value }: WholeDocument, { expects }: PassTarget): boolean =>
  expects === 'answer'
    ? !isRecord(value) || value['done'] !== true
    : isRecord(value) && value['done'] === false

/** Relays a whole answer that claims to be JSON. Throws 502 if it is not, or was cut off. */
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

interface Passing {
  readonly reply: OutgoingReply
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly faults: FaultContext
  /** Guard that checks whether a reply of a known kind is complete; null for any other. */
  readonly guard: ReturnType<typeof createPassedGuard>
  readonly type: string
}

/** Bytes of a reply being relayed to its caller after the headers. */
class PassedBytes implements ReplySink {
  readonly #passing: Passing
  readonly #caller: CallerWriter
  readonly #over = Promise.withResolvers<void>()

  constructor(passing: Passing) {
    this.#passing = passing
    this.#caller = new CallerWriter(passing.response, passing.reply)
  }

  /** Resolves when the reply has ended. */
  pass(): Promise<void> {
    const { reply, response } = this.#passing
    reply.read(this)
    // A first chunk that is already available is sent together with the headers.
    if (this.#caller.isEmpty() && !response.writableEnded) response.flushHeaders()
    return this.#over.promise
  }

  onData(chunk: Buffer): boolean {
    const { reply, faults, guard } = this.#passing
    this.#caller.write(guard ? guard.push(chunk) : chunk)
    if (!guard?.isBroken()) return true
    this.#endWith(unreadable(faults))
    reply.abort()
    return false
  }

  onEnd(): void {
    const { response, faults, guard } = this.#passing
    if (response.writableEnded) return
    const rest = guard?.end() ?? NOTHING
    if (rest.length > 0) this.#caller.write(rest)
    if (guard && !guard.isWhole()) return this.#endWith(incomplete(faults))
    this.#caller.end(NOTHING)
    this.#over.resolve()
  }

  onFailure(error: unknown): void {
    const { response, guard } = this.#passing
    if (response.writableEnded) return
    if (guard?.isWhole()) this.onEnd()
    else this.#endWith(error)
  }

  /**
   * Relays the remaining bytes and reports the error; for a reply of unknown kind only closing the
   * connection can report it.
   */
  #endWith(error: unknown): void {
    const { response, signal, faults, guard, type } = this.#passing
    const ending = signal.aborted ? '' : toEnding(type.toLowerCase(), toNetworkFault(error, faults))
    if (ending === null) response.destroy()
    this.#caller.end(Buffer.concat([guard?.end() ?? NOTHING, Buffer.from(ending ?? '')]))
    this.#over.resolve()
  }
}

/**
 * Relays a reply byte for byte, no faster than its caller reads. Resolves when it has ended; throws
 * only before the head of the reply was written.
 */
export async function passReply(
  given: OutgoingReply,
  target: PassTarget,
  upstream: Upstream,
): Promise<void> {
  const reply = target.watch ? new WatchedReply(given, target.watch) : given
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
  // The runtime's own streams consist of lines, whatever their type.
  const isAnswer = target.expects === 'answer'
  const type = isAnswer ? LINES_TYPE : reply.headers['content-type']
  const guard = createPassedGuard(type ?? '', { isAnswer })
  response.writeHead(isAnswer ? 200 : reply.status, toHead(reply, type, guard !== null))
  const passed = new PassedBytes({ reply, response, signal, faults, guard, type: type ?? '' })
  return passed.pass()
}
