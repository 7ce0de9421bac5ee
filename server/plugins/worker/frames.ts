import { isRecord } from '../../lib/is-record.ts'

/** A message of the protocol (resources/plugin-host/PROTOCOL.md, Frames). */
export type Message = Readonly<Record<string, unknown>> & { readonly t: string }

const HEAD_BYTES = 5
const LARGEST_FRAME = 256 * 1024 * 1024
const PLAIN = 0
const WITH_PARTS = 1

/** A frame whose length or kind no worker would send; what follows it cannot be told apart any more. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

function toFrame(kind: number, ...pieces: readonly Buffer[]): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt32BE(
    pieces.reduce((size, piece) => size + piece.length, 0),
    0,
  )
  head.writeUInt8(kind, 4)
  return Buffer.concat([head, ...pieces])
}

/** A message as bytes; a `Buffer` anywhere in it travels beside the JSON. */
export function encodeFrame(message: Message): Buffer {
  const parts: Buffer[] = []
  const text = JSON.stringify(message, function (this: unknown, key, value: unknown) {
    // The method `toJSON` of a buffer has run before `value` arrives.
    const original = isRecord(this) || Array.isArray(this) ? (this as Record<string, unknown>)[key] : value
    return Buffer.isBuffer(original) ? { $bytes: parts.push(original) - 1 } : value
  })
  if (parts.length === 0) return toFrame(PLAIN, Buffer.from(text))
  const json = Buffer.from(JSON.stringify({ ...(JSON.parse(text) as object), parts: parts.map(({ length }) => length) }))
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(json.length, 0)
  return toFrame(WITH_PARTS, length, json, ...parts)
}

function readMessage(text: string, parts: readonly Buffer[]): Message {
  const revive = (_: string, value: unknown): unknown =>
    isRecord(value) && typeof value['$bytes'] === 'number' ? (parts[value['$bytes']] ?? null) : value
  const message: unknown = parts.length === 0 ? JSON.parse(text) : JSON.parse(text, revive)
  if (!isRecord(message) || typeof message['t'] !== 'string') throw new FrameError('A frame holds no message.')
  return message as Message
}

function readParts(payload: Buffer): Message {
  const end = 4 + payload.readUInt32BE(0)
  const text = payload.toString('utf8', 4, end)
  const { parts: lengths } = JSON.parse(text) as { parts: number[] }
  let place = end
  const parts = lengths.map((length) => payload.subarray(place, (place += length)))
  return readMessage(text, parts)
}

/** Reads messages from pieces of a stream, however they are cut. */
export function createFrameReader(onMessage: (message: Message) => void): (piece: Buffer) => void {
  let waiting: Buffer[] = []
  let size = 0
  let needed = HEAD_BYTES

  return (piece) => {
    waiting.push(piece)
    size += piece.length
    while (size >= needed) {
      const bytes = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting, size)
      const length = bytes.readUInt32BE(0)
      const kind = bytes.readUInt8(4)
      if (length > LARGEST_FRAME || kind > WITH_PARTS) throw new FrameError('A frame has an impossible head.')
      needed = HEAD_BYTES + length
      waiting = [bytes]
      if (size < needed) return
      const payload = bytes.subarray(HEAD_BYTES, needed)
      waiting = [bytes.subarray(needed)]
      size -= needed
      needed = HEAD_BYTES
      onMessage(kind === PLAIN ? readMessage(payload.toString('utf8'), []) : readParts(payload))
    }
  }
}
