import type { ServerResponse } from 'node:http'
import { upstreamFailed, type ServiceError } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'
import type { OutgoingReply } from '../lib/outgoing.ts'
import type { ReplySink } from '../lib/paced-delivery.ts'
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

  async bytes(limit: number): Promise<Buffer> {
    const bytes = await this.#reply.bytes(limit)
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

interface Passing {
  readonly reply: OutgoingReply
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly faults: FaultContext
  /** Watches whether a reply of a known kind is whole; null for any other. */
  readonly guard: ReturnType<typeof createPassedGuard>
  readonly type: string
}

/** The bytes of a reply on their way to its caller, whose head is written. */
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
    // A first piece that is already here takes the head with it.
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
   * Passes what is left and says what is wrong; a reply of no known kind can only be cut to say it.
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
 * Hands a reply on byte for byte, no faster than its caller reads. Resolves when it has ended;
 * throws only before its head was written.
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
  // The runtime's own streams are lines, whatever their type says.
  const isAnswer = target.expects === 'answer'
  const type = isAnswer ? LINES_TYPE : reply.headers['content-type']
  const guard = createPassedGuard(type ?? '', { isAnswer })
  response.writeHead(isAnswer ? 200 : reply.status, toHead(reply, type, guard !== null))
  const passed = new PassedBytes({ reply, response, signal, faults, guard, type: type ?? '' })
  return passed.pass()
}
