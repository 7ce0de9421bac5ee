import { isRecord } from '../../lib/is-record.ts'

/** A message of the protocol (resources/plugin-host/PROTOCOL.md, Frames). */
export type Message = Readonly<Record<string, unknown>> & { readonly t: string }

/** The bytes of one message, its kind not yet looked into. */
export interface Frame {
  readonly hasParts: boolean
  readonly payload: Buffer
}

const HEAD_BYTES = 5
const LARGEST_FRAME = 256 * 1024 * 1024
const PLAIN = 0
const WITH_PARTS = 1

/** A frame no worker would send; what follows it cannot be told apart any more. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

/** What stands before the JSON of a message of this length. */
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

/** A message as bytes; a `Buffer` anywhere in it travels beside the JSON. */
export function encodeFrame(message: Message): Buffer {
  const parts: Buffer[] = []
  const text = JSON.stringify(message, function (this: unknown, key, value: unknown) {
    // The method `toJSON` of a buffer has run before `value` arrives.
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
 * A frame that is still coming. Its bytes are copied to their place as they come, so that no long
 * copy is made in the end.
 */
interface OpenFrame extends Frame {
  filled: number
}

/** Cuts a stream into frames, however its pieces are cut. */
export class FrameCutter {
  readonly #head = Buffer.allocUnsafe(HEAD_BYTES)
  #headBytes = 0
  #open: OpenFrame | null = null

  /** Nearly every frame lies in one piece, and needs no copy. */
  #findWhole(piece: Buffer, place: number): Frame | null {
    if (piece.length - place < HEAD_BYTES) return null
    const { length, hasParts } = readHead(piece, place)
    const start = place + HEAD_BYTES
    return piece.length - start < length
      ? null
      : { hasParts, payload: piece.subarray(start, start + length) }
  }

  /**
   * The frames that are complete with this piece, in order; throws a `FrameError` for an impossible
   * head.
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
