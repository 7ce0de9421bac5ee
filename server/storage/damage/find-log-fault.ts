// SQLite silently ignores a write-ahead log from the first broken frame on, which would lose
// acknowledged writes. The layout is fixed by
// https://sqlite.org/fileformat2.html#the_write_ahead_log
import { readFileSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC = 0x377f0682

type Sums = readonly [number, number]

/** Updates the running checksum of the log with whole 8-byte groups. */
function addChecksum([first, second]: Sums, bytes: Buffer, isBigEndian: boolean): Sums {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [a, b] = [first, second]
  for (let at = 0; at < words.byteLength; at += 8) {
    a = (a + words.getUint32(at, !isBigEndian) + b) >>> 0
    b = (b + words.getUint32(at + 4, !isBigEndian) + a) >>> 0
  }
  return [a, b]
}

const matches = ([a, b]: Sums, bytes: Buffer, at: number): boolean =>
  bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b

interface Log {
  readonly frames: readonly Buffer[]
  readonly salt: Buffer
  readonly isBigEndian: boolean
  readonly start: Sums
}

/** Returns null if the header itself is broken. */
function parseLog(bytes: Buffer): Log | null {
  const isBigEndian = (bytes.readUInt32BE(0) & 1) === 1
  const start = addChecksum([0, 0], bytes.subarray(0, 24), isBigEndian)
  const pageSize = bytes.readUInt32BE(8)
  if ((bytes.readUInt32BE(0) & ~1) >>> 0 !== MAGIC || pageSize < 512 || !matches(start, bytes, 24))
    return null
  const frameBytes = FRAME_HEADER_BYTES + pageSize
  const count = Math.floor((bytes.length - HEADER_BYTES) / frameBytes)
  const frames = Array.from({ length: count }, (_, index) =>
    bytes.subarray(HEADER_BYTES + index * frameBytes, HEADER_BYTES + (index + 1) * frameBytes),
  )
  return { frames, salt: bytes.subarray(16, 24), isBigEndian, start }
}

/**
 * Returns the index of the first frame that does not belong to this log or has a wrong checksum.
 */
function findEnd({ frames, salt, isBigEndian, start }: Log): number {
  let sums = start
  for (const [index, frame] of frames.entries()) {
    sums = addChecksum(
      addChecksum(sums, frame.subarray(0, 8), isBigEndian),
      frame.subarray(FRAME_HEADER_BYTES),
      isBigEndian,
    )
    if (!frame.subarray(8, 16).equals(salt) || !matches(sums, frame, 16)) return index
  }
  return frames.length
}

/**
 * Distinguishes a log that was cut off while being written, which is normal after a crash, from one
 * that was damaged later: every commit is synced before the next one starts, so after a broken
 * frame there is at most one commit, as last frame.
 */
export function findLogFault(file: string): string | null {
  const bytes = readFileSync(file)
  if (bytes.length <= HEADER_BYTES) return null
  const log = parseLog(bytes)
  if (!log) return 'the header of its write-ahead log is broken'
  const behind = log.frames
    .slice(findEnd(log))
    .filter((frame) => frame.subarray(8, 16).equals(log.salt))
  const commit = behind.findIndex((frame) => frame.readUInt32BE(4) !== 0)
  return commit !== -1 && commit < behind.length - 1
    ? 'its write-ahead log is broken in the middle'
    : null
}
