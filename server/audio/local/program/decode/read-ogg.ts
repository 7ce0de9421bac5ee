import { SpeechFault, unreadable } from '../fault.ts'
import { readOpusHead, type OpusPackets } from './opus-packets.ts'

const PAGE_HEADER_BYTES = 27
const SERIAL_AT = 14
const LACING_MOST = 255
const NAME = 'OggS'

export const isOgg = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === NAME

/** Yields the packets of the first stream of a file; a truncated packet is left out. */
function* packetsOf(bytes: Buffer): Generator<Uint8Array> {
  const serial = bytes.length >= PAGE_HEADER_BYTES ? bytes.readUInt32LE(SERIAL_AT) : 0
  let open: Uint8Array[] = []
  for (let at = 0; at + PAGE_HEADER_BYTES <= bytes.length;) {
    if (bytes.toString('latin1', at, at + 4) !== NAME) throw unreadable()
    const count = bytes[at + PAGE_HEADER_BYTES - 1]!
    const table = bytes.subarray(at + PAGE_HEADER_BYTES, at + PAGE_HEADER_BYTES + count)
    let from = at + PAGE_HEADER_BYTES + count
    const isOurs = bytes.readUInt32LE(at + SERIAL_AT) === serial
    for (const length of table) {
      const part = bytes.subarray(from, from + length)
      from += length
      if (!isOurs) continue
      if (part.length < length) return
      open.push(part)
      if (length === LACING_MOST) continue
      yield open.length === 1 ? open[0]! : Buffer.concat(open)
      open = []
    }
    at = from
  }
}

/** Returns the Opus packets of an Ogg recording. */
export function readOgg(bytes: Buffer): OpusPackets {
  const packets = packetsOf(bytes)
  const head = readOpusHead(packets.next().value ?? new Uint8Array())
  if (!head)
    throw new SpeechFault(
      400,
      'Ogg recordings are taken in Opus alone. Save it as WAV, MP3 or Opus, and send it again.',
    )
  // Skips the tags.
  packets.next()
  return { ...head, packets }
}
