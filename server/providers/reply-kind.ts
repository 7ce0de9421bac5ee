import { ReplyTooLargeError } from '../lib/outgoing.ts'
import type { CompletionFrame } from './provider.ts'
import type { FrameDecoder } from './read-frames.ts'

/** What the body of a successful reply holds: one JSON document, or the events of a stream. */
export type ReplyKind = 'document' | 'events'

const OPENING_BRACE = 0x7b
const SPACE = 0x20
const BYTE_ORDER_MARK = new Set([0xef, 0xbb, 0xbf])
/** Fields an event stream may begin with, and comments. */
const EVENT = /^(data|event|id|retry)?:/
/** Enough for the name of a field. */
const MOST_LOOKED_AT = 16
const DOCUMENT_BYTES = 64 * 1024 * 1024

const isJsonType = (type: string): boolean => type.includes('json')

/**
 * The kind of a body that begins with these bytes; null while too few of them have come to tell.
 */
function readKind(start: Buffer, type: string): ReplyKind | null {
  if (start.length === 0) return null
  if (start[0] === OPENING_BRACE) return 'document'
  if (!isJsonType(type)) return 'events'
  const text = start.toString('latin1', 0, MOST_LOOKED_AT)
  if (EVENT.test(text)) return 'events'
  return text.length < MOST_LOOKED_AT ? null : 'document'
}

/**
 * Tells by its first bytes whether a reply is a document or a stream of events, and gathers it when
 * it is a document. Senders mistake the type of their replies, so that it decides only about bytes
 * that can be neither.
 */
export class KindReader {
  readonly #type: string
  #kind: ReplyKind | null = null
  #pieces: Buffer[] = []
  #size = 0

  constructor(type = '') {
    this.#type = type.toLowerCase()
  }

  /**
   * The kind as far as it is known; at the end of a reply the one its type names, if nothing told
   * another.
   */
  get kind(): ReplyKind {
    return this.#kind ?? (isJsonType(this.#type) ? 'document' : 'events')
  }

  /**
   * The bytes to read as events now; null for bytes that are kept. Throws when a document is longer
   * than any may be.
   */
  push(chunk: Buffer): Buffer | null {
    if (this.#kind === 'events') return chunk
    // Blank bytes in front of a document or an event mean nothing; some senders write them while
    // they work.
    const start =
      this.#size > 0 ? 0 : chunk.findIndex((byte) => byte > SPACE && !BYTE_ORDER_MARK.has(byte))
    if (start === -1) return null
    this.#pieces.push(chunk.subarray(start))
    this.#size += chunk.length - start
    this.#kind ??= readKind(
      this.#size === chunk.length - start ? chunk.subarray(start) : Buffer.concat(this.#pieces),
      this.#type,
    )
    if (this.#kind === 'events') return this.take()
    if (this.#size > DOCUMENT_BYTES)
      throw new ReplyTooLargeError(`The reply is larger than ${DOCUMENT_BYTES} bytes.`)
    return null
  }

  /** All bytes that were kept. */
  take(): Buffer {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#size = 0
    return bytes
  }
}

/** Reads a reply to a streaming call, which may be a document all the same. */
export class EitherDecoder implements FrameDecoder {
  readonly #reader: KindReader
  readonly #events: FrameDecoder
  readonly #toFrame: (document: Buffer) => CompletionFrame

  /** `toFrame` throws when the bytes are no answer. */
  constructor(
    type: string | undefined,
    events: FrameDecoder,
    toFrame: (document: Buffer) => CompletionFrame,
  ) {
    this.#reader = new KindReader(type)
    this.#events = events
    this.#toFrame = toFrame
  }

  push(chunk: Buffer): CompletionFrame[] {
    const bytes = this.#reader.push(chunk)
    return bytes === null ? [] : this.#events.push(bytes)
  }

  end(): CompletionFrame[] {
    return this.#reader.kind === 'document'
      ? [this.#toFrame(this.#reader.take())]
      : this.#events.end()
  }

  isDone(): boolean {
    return this.#events.isDone()
  }

  isComplete(): boolean {
    return this.#events.isComplete()
  }
}
