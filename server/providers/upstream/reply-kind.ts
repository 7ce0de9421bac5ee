import { ReplyTooLargeError } from '../../lib/outgoing/outgoing.ts'
import type { CompletionFrame } from '../provider.ts'
import type { FrameDecoder } from './read-frames.ts'

/** Contents of the body of a successful reply: one JSON document, or the events of a stream. */
export type ReplyKind = 'document' | 'events'

const OPENING_BRACE = 0x7b
const SPACE = 0x20
const BYTE_ORDER_MARK = new Set([0xef, 0xbb, 0xbf])
/** Start of an event stream: one of its fields, or a comment. */
const EVENT = /^(data|event|id|retry)?:/
/** Number of bytes that is enough for the name of a field. */
const MOST_LOOKED_AT = 16
const DOCUMENT_BYTES = 64 * 1024 * 1024

const isJsonType = (type: string): boolean => type.includes('json')

/**
 * Returns the kind of a body that begins with these bytes; null if there are too few of them to
 * decide.
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
 * Determines by its first bytes whether a reply is a document or an event stream, and collects a
 * document. Senders often declare a wrong type, so the type is used only for bytes that could be
 * either.
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
   * Kind as far as it is known; at the end of a reply the kind of its declared type, if the bytes
   * did not decide.
   */
  get kind(): ReplyKind {
    return this.#kind ?? (isJsonType(this.#type) ? 'document' : 'events')
  }

  /**
   * Returns the bytes to read as events now; null for bytes that are kept. Throws if a document
   * exceeds the maximum size.
   */
  push(chunk: Buffer): Buffer | null {
    if (this.#kind === 'events') return chunk
    // Leading whitespace before a document or an event has no meaning; some senders write it while
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

  /** Returns all kept bytes. */
  take(): Buffer {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#size = 0
    return bytes
  }
}

/** Decodes a reply to a streaming call, which may nevertheless be a document. */
export class EitherDecoder implements FrameDecoder {
  readonly #reader: KindReader
  readonly #events: FrameDecoder
  readonly #toFrame: (document: Buffer) => CompletionFrame

  /** `toFrame` throws if the bytes are not an answer. */
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
