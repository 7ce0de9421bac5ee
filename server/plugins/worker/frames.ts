import { isRecord } from '../../lib/is-record.ts'

/** A message of the protocol (resources/plugin-host/PROTOCOL.md, Frames). */
export type Message = Readonly<Record<string, unknown>> & { readonly t: string }

/** The bytes of one message, not parsed yet. */
export interface Frame {
  readonly hasParts: boolean
  readonly payload: Buffer
}

const HEAD_BYTES = 5
const LARGEST_FRAME = 256 * 1024 * 1024
const PLAIN = 0
const WITH_PARTS = 1

/** An invalid frame that no worker would send; the following bytes cannot be delimited any more. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

/** Returns the header before the JSON of a message of this length. */
export function encodeHead(length: number, kind = PLAIN): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt32BE(length, 0)
  head.writeUInt8(kind, 4)
  return head
}

function toFrame(kind: number, ...pieces: readonly Buffer[]): Buffer {
  const length = pieces.reduce((size, piece) => size + piece.length, 0)
  return Buffer.concat([encodeHead(length, kind), ...pieces])
}

/** Encodes a message; any `Buffer` in it is sent beside the JSON. */
export function encodeFrame(message: Message): Buffer {
  const parts: Buffer[] = []
  const text = JSON.stringify(message, function (this: unknown, key, value: unknown) {
    // The buffer's `toJSON` has already run when `value` is passed.
    const original =
      isRecord(this) || Array.isArray(this) ? (this as Record<string, unknown>)[key] : value
    return Buffer.isBuffer(original) ? { $bytes: parts.push(original) - 1 } : value
  })
  if (parts.length === 0) return toFrame(PLAIN, Buffer.from(text))
  const json = Buffer.from(
    JSON.stringify({ ...(JSON.parse(text) as object), parts: parts.map(({ length }) => length) }),
  )
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(json.length, 0)
  return toFrame(WITH_PARTS, length, json, ...parts)
}

function readHead(head: Buffer, place: number): { length: number; hasParts: boolean } {
  const length = head.readUInt32BE(place)
  const kind = head.readUInt8(place + 4)
  if (length > LARGEST_FRAME)
    throw new FrameError(
      `A frame announces ${length} bytes, and ${LARGEST_FRAME} are the most it may have.`,
    )
  if (kind > WITH_PARTS) throw new FrameError(`A frame is of the kind ${kind}, which there is not.`)
  return { length, hasParts: kind === WITH_PARTS }
}

/**
 * An incomplete frame. Its bytes are copied to their place as they arrive, so that no long copy is
 * made at the end.
 */
interface OpenFrame extends Frame {
  filled: number
}

/** Splits a stream into frames, regardless of its chunk boundaries. */
export class FrameCutter {
  readonly #head = Buffer.allocUnsafe(HEAD_BYTES)
  #headBytes = 0
  #open: OpenFrame | null = null

  /** Nearly every frame is within one chunk, and needs no copy. */
  #findWhole(piece: Buffer, place: number): Frame | null {
    if (piece.length - place < HEAD_BYTES) return null
    const { length, hasParts } = readHead(piece, place)
    const start = place + HEAD_BYTES
    return piece.length - start < length
      ? null
      : { hasParts, payload: piece.subarray(start, start + length) }
  }

  /**
   * Yields the frames completed by this chunk, in order; throws a `FrameError` for an invalid
   * header.
   */
  *take(piece: Buffer): Generator<Frame, void> {
    let place = 0
    while (place < piece.length) {
      if (this.#open === null) {
        const whole = this.#headBytes === 0 ? this.#findWhole(piece, place) : null
        if (whole !== null) {
          place += HEAD_BYTES + whole.payload.length
          yield whole
          continue
        }
        place += this.#takeHead(piece, place)
      } else place += this.#takePayload(this.#open, piece, place)
      const open = this.#open as OpenFrame | null
      if (open === null || open.filled < open.payload.length) continue
      this.#open = null
      yield open
    }
  }

  #takeHead(piece: Buffer, place: number): number {
    const taken = piece.copy(this.#head, this.#headBytes, place)
    this.#headBytes += taken
    if (this.#headBytes < HEAD_BYTES) return taken
    const { length, hasParts } = readHead(this.#head, 0)
    this.#headBytes = 0
    this.#open = { hasParts, payload: Buffer.allocUnsafeSlow(length), filled: 0 }
    return taken
  }

  #takePayload(open: OpenFrame, piece: Buffer, place: number): number {
    const taken = piece.copy(open.payload, open.filled, place)
    open.filled += taken
    return taken
  }
}
