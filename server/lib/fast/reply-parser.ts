import { HttpError } from './http-error.ts'
import { parseReplyHead, type ReplyHead } from './reply-head.ts'

/** Callbacks for the parts of a reply, in order. */
export interface ReplyEvents {
  /** Not called for heads that are followed by another one (1xx). */
  onHead(head: ReplyHead): void
  /** Returns the memory to write the next chunk to; null to allocate separate memory. */
  room(length: number): Buffer | null
  onBody(piece: Buffer): void
  onComplete(): void
}

/** Maximum number of bytes of a head, of a chunk's extensions, and of all trailers. */
const MOST_BYTES = 16 * 1024
const HEAD_END = '\r\n\r\n'
const MOST_DIGITS = 13
const CR = 13
const LF = 10
const TAB = 9
const SPACE = 32
const SEMICOLON = 59

/** Kinds of the next byte. Numbers, because the kind is checked for every chunk. */
const HEAD = 0
const PLAIN = 1
const REST = 2
const SIZE = 3
const EXTENSION = 4
const SIZE_LF = 5
const CHUNK = 6
const CHUNK_CR = 7
const CHUNK_LF = 8
const TRAILER = 9
const TRAILER_LINE = 10
const TRAILER_LF = 11
const LAST_LF = 12
const DONE = 13

/** Value of each byte as a hexadecimal digit; -1 if it is none. */
const DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const text = String.fromCodePoint(byte)
  return /[\da-f]/i.test(text) ? Number.parseInt(text, 16) : -1
})

const broken = (): HttpError =>
  new HttpError('The reply is not cut into chunks as it should be.', 'HPE_INVALID_CHUNK_SIZE')

/** Returns true for statuses whose replies have no body, whatever their head declares. */
const isEmptyStatus = (status: number): boolean => status === 204 || status === 304

/**
 * Parses the HTTP/1.1 replies of a connection one after the other, strictly: ambiguous input is an
 * error. The bytes may be in a buffer that is reused, so pieces of bodies are copies; all that
 * arrived together is one piece.
 */
export class ReplyParser {
  readonly #events: ReplyEvents
  #state = HEAD
  #text = ''
  /** Number of missing bytes of the body or the chunk. */
  #missing = 0
  #digits = 0
  /** Number of bytes of the chunk's extensions so far, or of trailers. */
  #around = 0
  #piece: Buffer | null = null
  #pieceLength = 0
  /** True if bytes arrived after the end of a reply. */
  hasExtra = false
  #isStopped = false

  constructor(events: ReplyEvents) {
    this.#events = events
  }

  /** Starts another reply with the next bytes. */
  begin(): void {
    this.#state = HEAD
    this.#text = ''
    this.#around = 0
  }

  /** Stops all callbacks. */
  stop(): void {
    this.#isStopped = true
  }

  push(bytes: Buffer): void {
    let place = 0
    while (place < bytes.length && !this.#isStopped) {
      const state = this.#state
      if (state === HEAD) place = this.#readHead(bytes, place)
      else if (state === PLAIN || state === CHUNK) place = this.#readBody(bytes, place)
      else if (state === REST) place = this.#take(bytes, place, bytes.length)
      else if (state === DONE) {
        this.hasExtra = true
        return
      } else this.#readAround(bytes[place++]!)
    }
    this.#handOver()
  }

  /** Handles the end of the connection. Returns false if a part of the reply is missing. */
  finish(): boolean {
    if (this.#state === REST) this.#complete()
    return this.#state === DONE
  }

  #readHead(bytes: Buffer, place: number): number {
    const held = this.#text.length
    const text = this.#text + bytes.toString('latin1', place, place + MOST_BYTES)
    const end = text.indexOf(HEAD_END)
    if (end === -1 ? text.length >= MOST_BYTES : end > MOST_BYTES)
      throw new HttpError('The head of the reply is too long.', 'UND_ERR_HEADERS_OVERFLOW')
    if (end === -1) {
      this.#text = text
      return bytes.length
    }
    this.#text = ''
    this.#takeHead(parseReplyHead(text.slice(0, end)))
    return place + end + HEAD_END.length - held
  }

  #takeHead(head: ReplyHead): void {
    const { status, length, isChunked } = head
    if (status === 101) throw new HttpError('bad upgrade')
    if (status < 200) return
    const isEmpty = isEmptyStatus(status) || length === 0
    this.#missing = length
    this.#digits = 0
    this.#state = isChunked ? SIZE : length === -1 ? REST : PLAIN
    // A body sent despite such a status would be taken for the next reply.
    const hasBody = isEmptyStatus(status) && (length > 0 || head.headers['transfer-encoding'])
    this.#events.onHead(hasBody ? { ...head, isKept: false } : this.#withEnd(head))
    if (isEmpty && !this.#isStopped) this.#complete()
  }

  /** A connection whose close ends the body cannot be reused. */
  #withEnd(head: ReplyHead): ReplyHead {
    return this.#state === REST && !isEmptyStatus(head.status) ? { ...head, isKept: false } : head
  }

  #readBody(bytes: Buffer, place: number): number {
    const end = this.#take(bytes, place, Math.min(bytes.length, place + this.#missing))
    this.#missing -= end - place
    if (this.#missing > 0) return end
    if (this.#state === CHUNK) this.#state = CHUNK_CR
    else this.#complete()
    return end
  }

  /** Keeps bytes of the body until all of these bytes are read. */
  #take(bytes: Buffer, from: number, to: number): number {
    this.#piece ??= this.#makeRoom(bytes.length - from)
    this.#pieceLength += bytes.copy(this.#piece, this.#pieceLength, from, to)
    return to
  }

  #makeRoom(length: number): Buffer {
    return this.#events.room(length) ?? Buffer.allocUnsafe(length)
  }

  #handOver(): void {
    const piece = this.#piece
    if (piece === null) return
    const length = this.#pieceLength
    this.#piece = null
    this.#pieceLength = 0
    if (!this.#isStopped)
      this.#events.onBody(length === piece.length ? piece : piece.subarray(0, length))
  }

  #complete(): void {
    this.#state = DONE
    this.#handOver()
    if (!this.#isStopped) this.#events.onComplete()
  }

  /** Reads sizes, line ends and trailers, byte by byte. */
  #readAround(byte: number): void {
    switch (this.#state) {
      case SIZE:
        this.#readSize(byte)
        break
      case EXTENSION:
        this.#skipLine(byte, SIZE_LF)
        break
      case SIZE_LF:
        this.#expect(byte, LF, this.#missing === 0 ? TRAILER : CHUNK)
        break
      case CHUNK_CR:
        this.#expect(byte, CR, CHUNK_LF)
        break
      case CHUNK_LF:
        this.#expect(byte, LF, SIZE)
        this.#digits = 0
        this.#around = 0
        break
      case TRAILER:
        if (byte === CR) this.#state = LAST_LF
        else this.#skipLine(byte, TRAILER_LF)
        break
      case TRAILER_LINE:
        this.#skipLine(byte, TRAILER_LF)
        break
      case TRAILER_LF:
        this.#expect(byte, LF, TRAILER)
        break
      default:
        this.#expect(byte, LF, DONE)
        this.#complete()
    }
  }

  #readSize(byte: number): void {
    const digit = DIGITS[byte]!
    if (digit >= 0) {
      this.#missing = this.#digits === 0 ? digit : this.#missing * 16 + digit
      this.#digits += 1
      if (this.#digits > MOST_DIGITS) throw broken()
    } else if (this.#digits === 0) throw broken()
    else if (byte === CR) this.#state = SIZE_LF
    else if (byte === SEMICOLON || byte === SPACE || byte === TAB) this.#state = EXTENSION
    else throw broken()
  }

  #skipLine(byte: number, next: number): void {
    this.#around += 1
    if (byte === LF || this.#around > MOST_BYTES) throw broken()
    if (byte === CR) this.#state = next
    else if (this.#state === TRAILER) this.#state = TRAILER_LINE
  }

  #expect(byte: number, wanted: number, next: number): void {
    if (byte !== wanted) throw broken()
    this.#state = next
  }
}
