/**
 * Kilobits per second by the index in the frame header; the first means free format, the last is
 * forbidden.
 */
const RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
const RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
const FREQUENCIES = [44_100, 48_000, 32_000, 0]
const LAYER_3 = 1
const VERSION_1 = 3
const VERSION_2 = 2
const HEAD_BYTES = 4
const TAG_HEADER_BYTES = 10

interface Frame {
  readonly bytes: number
  readonly seconds: number
}

function readFrame(bytes: Buffer, at: number): Frame | null {
  if (at + HEAD_BYTES > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xe0) !== 0xe0)
    return null
  const version = (bytes[at + 1]! >> 3) & 3
  if (version === 1 || ((bytes[at + 1]! >> 1) & 3) !== LAYER_3) return null
  const isFirst = version === VERSION_1
  const kilobits = (isFirst ? RATES_1 : RATES_2)[bytes[at + 2]! >> 4]!
  const half = isFirst ? 1 : version === VERSION_2 ? 2 : 4
  const frequency = FREQUENCIES[(bytes[at + 2]! >> 2) & 3]! / half
  if (kilobits === 0 || frequency === 0) return null
  const padding = (bytes[at + 2]! >> 1) & 1
  return {
    bytes: Math.floor(((isFirst ? 144_000 : 72_000) * kilobits) / frequency) + padding,
    seconds: (isFirst ? 1152 : 576) / frequency,
  }
}

/** Returns the offset of the audio after the tags. */
function skipTag(bytes: Buffer): number {
  if (bytes.length < TAG_HEADER_BYTES || bytes.toString('latin1', 0, 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (bytes[at]! & 0x7f), 0)
  return TAG_HEADER_BYTES + size
}

/** Returns the duration of an MP3 recording in seconds; null if it is not MP3. */
export function measureMp3(bytes: Buffer): number | null {
  let at = skipTag(bytes)
  const first = readFrame(bytes, at)
  if (!first || !readFrame(bytes, at + first.bytes)) return null
  let seconds = 0
  while (at < bytes.length) {
    const frame = readFrame(bytes, at)
    seconds += frame?.seconds ?? 0
    at += frame?.bytes ?? 1
  }
  return seconds
}
