import { SpeechFault, unreadable } from '../fault.ts'
import { Samples } from './samples.ts'

interface Format {
  readonly kind: number
  readonly channels: number
  readonly rate: number
  readonly bits: number
}

const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const EXTENSIBLE = 0xff_fe
const MOST_CHANNELS = 8
const PIECE_FRAMES = 65_536
const LOWEST_RATE = 8000
const HIGHEST_RATE = 192_000

export const isWav = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WAVE'

/** Functions that read one sample, by sample format and width. */
const READERS: Readonly<Record<string, (bytes: Buffer, at: number) => number>> = {
  '1/8': (bytes, at) => (bytes.readUInt8(at) - 128) / 128,
  '1/16': (bytes, at) => bytes.readInt16LE(at) / 32_768,
  '1/24': (bytes, at) => bytes.readIntLE(at, 3) / 8_388_608,
  '1/32': (bytes, at) => bytes.readInt32LE(at) / 2_147_483_648,
  '3/32': (bytes, at) => bytes.readFloatLE(at),
  '3/64': (bytes, at) => bytes.readDoubleLE(at),
}

function readFormat(bytes: Buffer, at: number, length: number): Format {
  if (length < 16 || at + length > bytes.length) throw unreadable()
  const kind = bytes.readUInt16LE(at)
  return {
    kind: kind === EXTENSIBLE && length >= 26 ? bytes.readUInt16LE(at + 24) : kind,
    channels: bytes.readUInt16LE(at + 2),
    rate: bytes.readUInt32LE(at + 4),
    bits: bytes.readUInt16LE(at + 14),
  }
}

function readSamples(bytes: Buffer, { kind, channels, rate, bits }: Format): Samples {
  const read = READERS[`${kind}/${bits}`]
  if (!read)
    throw new SpeechFault(400, 'WAV recordings are taken as plain numbers alone, not compressed.')
  if (channels < 1 || channels > MOST_CHANNELS || rate < LOWEST_RATE || rate > HIGHEST_RATE)
    throw unreadable()
  const samples = new Samples(rate)
  const width = bits / 8
  const frames = Math.floor(bytes.length / (width * channels))
  for (let from = 0; from < frames; from += PIECE_FRAMES) {
    const piece = new Float32Array(Math.min(PIECE_FRAMES, frames - from))
    for (let frame = 0; frame < piece.length; frame += 1)
      for (let channel = 0; channel < channels; channel += 1)
        piece[frame]! += read(bytes, ((from + frame) * channels + channel) * width) / channels
    samples.push(piece)
  }
  return samples
}

/** Returns the samples of a WAV recording, even a truncated one. */
export function readWav(bytes: Buffer): Samples {
  let format: Format | null = null
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const from = at + CHUNK_HEADER_BYTES
    if (name === 'fmt ') format = readFormat(bytes, from, length)
    if (name === 'data' && format) return readSamples(bytes.subarray(from, from + length), format)
    at = from + length + (length % 2)
  }
  throw unreadable()
}
