import type { FileHandle } from 'node:fs/promises'
import { Refusal } from '../refusal.ts'

export interface ArchiveEntry {
  readonly name: string
  /** 0 stored, 8 deflated. */
  readonly method: number
  readonly isEncrypted: boolean
  readonly compressedSize: number
  readonly size: number
  /** Offset of the local header. */
  readonly offset: number
}

const END_SIGNATURE = 0x06_05_4b_50
const END_LENGTH = 22
const LONGEST_COMMENT = 65_535
const LOCATOR_64_LENGTH = 20
const END_64_LENGTH = 56
const ENTRY_SIGNATURE = 0x02_01_4b_50
const ENTRY_LENGTH = 46
const LOCAL_LENGTH = 30
const IN_EXTRA = 0xff_ff_ff_ff
const MOST_ENTRIES = 50_000
const LARGEST_DIRECTORY = 16 * 1024 * 1024

export const DAMAGED_ARCHIVE = 'The file is damaged: its contents cannot be unpacked.'

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

interface DirectoryPlace {
  readonly count: number
  readonly length: number
  readonly offset: number
}

async function findDirectory(file: FileHandle, fileSize: number): Promise<DirectoryPlace> {
  const tailLength = Math.min(fileSize, END_LENGTH + LONGEST_COMMENT)
  const tail = await readAt(file, fileSize - tailLength, tailLength)
  for (let at = tail.length - END_LENGTH; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue
    const place = {
      count: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    }
    if (place.offset !== IN_EXTRA && place.count !== 0xff_ff) return place
    const locator = at - LOCATOR_64_LENGTH
    if (locator < 0) break
    const end = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), END_64_LENGTH)
    if (end.length < END_64_LENGTH) break
    return {
      count: Number(end.readBigUInt64LE(32)),
      length: Number(end.readBigUInt64LE(40)),
      offset: Number(end.readBigUInt64LE(48)),
    }
  }
  throw new Refusal(DAMAGED_ARCHIVE)
}

/**
 * Sizes above 4 GB are stored in a separate field; only those marked as missing are there, in this
 * order.
 */
function readLargeSizes(extra: Buffer, values: readonly number[]): number[] {
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1)
    at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return values.map((value) => {
    if (value !== IN_EXTRA || at + 8 > extra.length) return value
    at += 8
    return Number(extra.readBigUInt64LE(at - 8))
  })
}

function parseDirectory(bytes: Buffer, count: number): ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  let at = 0
  while (
    entries.length < count &&
    at + ENTRY_LENGTH <= bytes.length &&
    bytes.readUInt32LE(at) === ENTRY_SIGNATURE
  ) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      bytes.readUInt16LE(at + field),
    ) as [number, number, number]
    const nameEnd = at + ENTRY_LENGTH + nameLength
    const declared = [
      bytes.readUInt32LE(at + 24),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ]
    const [size, compressedSize, offset] = readLargeSizes(
      bytes.subarray(nameEnd, nameEnd + extraLength),
      declared,
    ) as [number, number, number]
    entries.push({
      name: bytes.toString('utf8', at + ENTRY_LENGTH, nameEnd).replaceAll('\\', '/'),
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      compressedSize,
      size,
      offset,
    })
    at = nameEnd + extraLength + commentLength
  }
  return entries
}

/** Entries that share bytes let a small file unpack to any size; legitimate programs write none. */
function refuseOverlaps(entries: readonly ArchiveEntry[]): void {
  let end = 0
  for (const { offset, compressedSize } of entries.toSorted(
    (left, right) => left.offset - right.offset,
  )) {
    if (offset < end)
      throw new Refusal('The file is not read: parts of its contents lie on top of each other.')
    end = offset + LOCAL_LENGTH + compressedSize
  }
}

/**
 * Reads the directory of a zip archive, checked but not trusted: sizes are counted again while
 * unpacking.
 */
export async function readDirectory(file: FileHandle): Promise<ArchiveEntry[]> {
  const { size } = await file.stat()
  const place = await findDirectory(file, size)
  if (place.count > MOST_ENTRIES || place.length > LARGEST_DIRECTORY)
    throw new Refusal('The file is not read: it holds too many parts.')
  if (place.offset + place.length > size) throw new Refusal(DAMAGED_ARCHIVE)
  const entries = parseDirectory(await readAt(file, place.offset, place.length), place.count)
  refuseOverlaps(entries)
  return entries
}
