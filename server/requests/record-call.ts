import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { ServiceError } from '../lib/errors.ts'
import { CallNotes } from '../lib/serving/call-notes.ts'
import { GatewayResponse, type ReplyWatcher } from '../lib/serving/gateway-response.ts'
import { requestIdOf, type Caller, type CallRecording, type HttpExchange } from '../lib/http.ts'
import { toServiceError } from '../lib/serving/to-error.ts'
import { isRecord } from '../lib/is-record.ts'
import { LARGEST_BODY, redactBody, redactPath, type RedactedBody } from './redact.ts'

/** Recorded data of a finished call; it is formatted only on request. */
export interface CallEntry {
  /** Increases with each finished call. */
  readonly seq: number
  readonly id: string
  readonly time: number
  readonly method: string
  readonly endpoint: AnyEndpoint
  readonly path: string
  readonly userAgent: string
  readonly caller: Caller | null
  readonly status: number
  readonly milliseconds: number
  readonly firstByteMilliseconds: number | null
  readonly bytesIn: number
  readonly bytesOut: number
  readonly model: string | null
  readonly stream: boolean
  readonly error: string | null
  /**
   * End of the response if it contains token counts or an error, one character per byte; null for
   * most.
   */
  readonly end: string | null
  readonly bodies: { readonly request: RedactedBody | null; readonly response: RedactedBody } | null
  /** Outcome of the call; more notes may follow while an answer continues in the background. */
  readonly notes: CallNotes
}

/** Receiver of finished calls. */
export interface CallSink {
  nextSeq(): number
  add(entry: CallEntry): void
}

/** 499: the client disconnected before the end of the response. */
const CALLER_LEFT = 499
const TAIL_BYTES = 1536
const LONGEST_PATH = 2000
const LONGEST_MODEL = 300
/** The rest does not identify a client, and would be parsed again whenever the log is read. */
const LONGEST_AGENT = 300
/** Larger bodies are not examined, because that would delay other requests. */
const LARGEST_READ = 4 * 1024 * 1024
/**
 * Number of chunks of a stream the tail is taken from: counts may be repeated, and may be split
 * between two chunks.
 */
const TAIL_PIECES = 4

type Piece = Uint8Array | string

const toBuffer = (piece: Piece): Buffer =>
  Buffer.isBuffer(piece)
    ? piece
    : typeof piece === 'string'
      ? Buffer.from(piece, 'utf8')
      : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)

/** Endings common to all names of token counts. */
const COUNT_MARKS = ['_tokens"', '_count"']
/** Text that follows the name of a limit that was not set. */
const IS_NULL = /^\s*:\s*n/
/** Covers the name before such an ending. */
const NAME_BYTES = 24

/** The end of a response chunk; text is converted to bytes only when it is stored. */
type End = Buffer | string

function endOf(piece: Piece): End {
  if (Buffer.isBuffer(piece) && piece.length <= TAIL_BYTES) return piece
  return typeof piece === 'string'
    ? piece.slice(-TAIL_BYTES)
    : toBuffer(piece.subarray(-TAIL_BYTES))
}

const isNull = (text: string, at: number): boolean => IS_NULL.test(text.slice(at, at + 8))

/**
 * Returns the index at which the name of the first count ends; -1 if there is none. One character
 * per byte, because each search of so few bytes costs more than making them a text.
 */
function findCount(end: End): number {
  const text = typeof end === 'string' ? end : end.toString('latin1')
  let first = -1
  for (const mark of COUNT_MARKS) {
    let at = text.indexOf(mark)
    while (at !== -1 && isNull(text, at + mark.length)) at = text.indexOf(mark, at + mark.length)
    if (at !== -1 && (first === -1 || at < first)) first = at
  }
  return first
}

/** Returns the text from the first count on; null if there is none. */
function fromFirstCount(end: Buffer): string | null {
  const at = findCount(end)
  return at === -1 ? null : end.toString('latin1', Math.max(0, at - NAME_BYTES))
}

const LINE_FEED = 10
const endsLine = (end: End): boolean =>
  typeof end === 'string' ? end.endsWith('\n') : end.at(-1) === LINE_FEED

/**
 * Reports whether this may contain the end of a response: complete lines without a count are not
 * part of it.
 */
const mayTell = (end: End): boolean => !endsLine(end) || findCount(end) !== -1

/**
 * Records one call. A class with plain fields, because one is created for every call: it holds
 * chunks of the response only while the call runs and copies the few bytes that are kept.
 */
export class Recording implements CallRecording, ReplyWatcher {
  readonly #endpoint: AnyEndpoint
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #time = Date.now()
  readonly #started = performance.now()
  readonly #keepsBodies: boolean
  readonly notes: CallNotes
  readonly #sink: CallSink
  #caller: Caller | null = null
  #body: unknown
  #rawBody: Buffer | null = null
  #error: unknown = null
  #firstByte = 0
  #bytesOut = 0
  /** The last chunks, as a ring buffer of `TAIL_PIECES` places. */
  readonly #tail: Buffer[] = []
  #pieces = 0
  #kept: Buffer[] = []
  #keptBytes = 0

  constructor(
    endpoint: AnyEndpoint,
    exchange: HttpExchange,
    options: { keepsBodies: boolean; sink: CallSink },
  ) {
    this.#endpoint = endpoint
    this.#request = exchange.request
    this.#response = exchange.response
    this.#keepsBodies = options.keepsBodies
    this.notes = new CallNotes(options.keepsBodies ? showBody : null)
    this.#sink = options.sink
    if (exchange.response instanceof GatewayResponse) exchange.response.watcher = this
    exchange.response.on('close', () => this.#close())
  }

  noteInput(caller: Caller | null, { body, rawBody }: { body: unknown; rawBody: Buffer }): void {
    this.#caller = caller
    this.#body = body
    this.#rawBody = rawBody
  }

  noteFailure(caller: Caller | null, error: unknown): void {
    this.#caller = caller
    this.#error = error
  }

  take(piece: unknown): void {
    if (this.#firstByte === 0) this.#firstByte = performance.now()
    if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) return
    this.#bytesOut += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
    this.#keepEnd(endOf(piece))
    if (this.#keepsBodies && this.#keptBytes < LARGEST_BODY) {
      const bytes = Buffer.from(toBuffer(piece).subarray(0, LARGEST_BODY - this.#keptBytes))
      this.#keptBytes += bytes.length
      this.#kept.push(bytes)
    }
  }

  /**
   * @NOTE Keeps only chunks that may contain relevant data: a chunk of a slow stream that is held
   *   until the next few arrive is freed much later.
   */
  #keepEnd(end: End): void {
    if (this.#response.statusCode < 400 && !mayTell(end)) return
    this.#tail[this.#pieces % TAIL_PIECES] = toBuffer(end)
    this.#pieces += 1
  }

  #close(): void {
    const response = this.#response
    const now = performance.now()
    this.notes.settle()
    const body = isRecord(this.#body) ? this.#body : {}
    const model = typeof body['model'] === 'string' ? body['model'].slice(0, LONGEST_MODEL) : null
    const status = response.writableFinished ? response.statusCode : CALLER_LEFT
    this.#sink.add({
      seq: this.#sink.nextSeq(),
      id: requestIdOf(response),
      time: this.#time,
      method: this.#request.method ?? this.#endpoint.method,
      endpoint: this.#endpoint,
      path: this.#path(),
      userAgent: (this.#request.headers['user-agent'] ?? '').slice(0, LONGEST_AGENT),
      caller: this.#caller,
      status,
      milliseconds: now - this.#started,
      firstByteMilliseconds: this.#firstByte === 0 ? null : this.#firstByte - this.#started,
      bytesIn: this.#rawBody?.length || Number(this.#request.headers['content-length'] ?? 0) || 0,
      bytesOut: this.#bytesOut,
      model,
      stream: body['stream'] === true,
      error: this.#error === null ? null : sentenceOf(this.#error),
      end:
        this.#pieces === 0
          ? null
          : status >= 400
            ? this.#joinEnd().toString('latin1')
            : this.#counts(model),
      bodies: this.#keepsBodies ? this.#copyBodies() : null,
      notes: this.notes,
    })
  }

  #path(): string {
    const { url = '' } = this.#request
    return url === this.#endpoint.path ? url : redactPath(url).slice(0, LONGEST_PATH)
  }

  #counts(model: string | null): string | null {
    return model === null ? null : fromFirstCount(this.#joinEnd())
  }

  #joinEnd(): Buffer {
    const next = this.#pieces % TAIL_PIECES
    const pieces =
      this.#pieces <= TAIL_PIECES
        ? this.#tail
        : [...this.#tail.slice(next), ...this.#tail.slice(0, next)]
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces).subarray(-TAIL_BYTES)
  }

  #copyBodies(): CallEntry['bodies'] {
    const response = redactBody(Buffer.concat(this.#kept).toString('utf8'))
    const isWhole = response.isWhole && this.#keptBytes === this.#bytesOut
    return { request: this.#copyRequest(), response: { ...response, isWhole } }
  }

  #copyRequest(): RedactedBody | null {
    const bytes = this.#rawBody
    return bytes === null || bytes.length === 0 ? null : copyBody(bytes)
  }
}

function copyBody(bytes: Buffer): RedactedBody {
  if (bytes.length > LARGEST_READ)
    return { text: `A body of ${bytes.length} bytes is too large for the log.`, isWhole: false }
  return redactBody(bytes.toString('utf8'))
}

const showBody = (bytes: Buffer): string => copyBody(bytes).text

const sentenceOf = (error: unknown): string =>
  (error instanceof ServiceError ? error : toServiceError(error)).message
