import { SpeechFault, unreadable } from '../fault.ts'
import { readOpusHead, type OpusPackets } from './opus-packets.ts'

const MARK = 0x1a_45_df_a3
const SEGMENT = 0x18_53_80_67
const CLUSTER = 0x1f_43_b6_75
const TRACKS = 0x16_54_ae_6b
const TRACK = 0xae
const GROUP = 0xa0
const TRACK_NUMBER = 0xd7
const CODEC = 0x86
const CODEC_HEAD = 0x63_a2
const BLOCK = 0xa1
const SIMPLE_BLOCK = 0xa3
/** Elements whose children are read; all others are treated as leaves. */
const OPENED: ReadonlySet<number> = new Set([SEGMENT, CLUSTER, TRACKS, TRACK, GROUP])
const LACED = 0x06
const BLOCK_HEADER_BYTES = 3

interface Element {
  readonly id: number
  readonly content: Buffer
}

interface Track {
  number: number
  codec: string
  head: Uint8Array
}

export const isWebm = (bytes: Buffer): boolean =>
  bytes.length >= 4 && bytes.readUInt32BE(0) === MARK

/** Reads a number whose first byte encodes its length; returns null if the file ends before. */
function readNumber(
  bytes: Buffer,
  at: number,
  keepsMark: boolean,
): { value: number; length: number; isUnknown: boolean } | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first === 0) throw unreadable()
  const length = Math.clz32(first) - 23
  if (at + length > bytes.length) return null
  const mask = 0xff >> length
  let value = keepsMark ? first : first & mask
  let isUnknown = (first & mask) === mask
  for (let index = 1; index < length; index += 1) {
    value = value * 256 + bytes[at + index]!
    isUnknown &&= bytes[at + index] === 0xff
  }
  return { value, length, isUnknown }
}

/**
 * Yields the elements of a file in order; live recordings leave the size of some elements unknown.
 */
function* elementsOf(bytes: Buffer): Generator<Element> {
  for (let at = 0; at < bytes.length;) {
    const id = readNumber(bytes, at, true)
    const size = id && readNumber(bytes, at + id.length, false)
    if (!id || !size) return
    const from = at + id.length + size.length
    const isOpened = OPENED.has(id.value)
    if (size.isUnknown && !isOpened) throw unreadable()
    const to = isOpened ? from : from + size.value
    // A file truncated while it was written ends here.
    if (to > bytes.length) return
    yield { id: id.value, content: bytes.subarray(from, to) }
    at = to
  }
}

function note(tracks: Track[], { id, content }: Element): void {
  if (id === TRACK) tracks.push({ number: 0, codec: '', head: new Uint8Array() })
  const track = tracks.at(-1)
  if (!track) return
  if (id === TRACK_NUMBER && content.length <= 6)
    track.number = content.length === 0 ? 0 : content.readUIntBE(0, content.length)
  if (id === CODEC) track.codec = content.toString('latin1')
  if (id === CODEC_HEAD) track.head = content
}

/** Returns the part of a block that belongs to the wanted track. */
function partOf(content: Buffer, wanted: number): Uint8Array | null {
  const track = readNumber(content, 0, false)
  if (!track || track.value !== wanted) return null
  const from = track.length + BLOCK_HEADER_BYTES
  if (from > content.length || (content[from - 1]! & LACED) !== 0) throw unreadable()
  return content.subarray(from)
}

/** Returns the Opus packets of a WebM recording, as browsers write it. */
export function readWebm(bytes: Buffer): OpusPackets {
  const tracks: Track[] = []
  for (const element of elementsOf(bytes)) {
    if (element.id === CLUSTER) break
    note(tracks, element)
  }
  const track = tracks.find(({ codec }) => codec === 'A_OPUS')
  const head = track && readOpusHead(track.head)
  if (!head) {
    throw new SpeechFault(
      400,
      tracks.length === 0
        ? 'There is no sound in the recording.'
        : 'WebM recordings are taken in Opus alone. Save it as WAV, MP3 or Opus, and send it again.',
    )
  }
  function* packets(): Generator<Uint8Array> {
    for (const { id, content } of elementsOf(bytes)) {
      const part = id === SIMPLE_BLOCK || id === BLOCK ? partOf(content, track!.number) : null
      if (part && part.length > 0) yield part
    }
  }
  return { ...head, packets: packets() }
}
