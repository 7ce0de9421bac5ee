import { constants, crc32, deflateRawSync } from 'node:zlib'

/** One entry of a hand-made archive, which may contain false data. */
export interface ForgedEntry {
  readonly name: string
  /** The bytes in the archive. */
  readonly data: Buffer
  readonly method: 0 | 8
  /** Size stated in the directory; may be false. */
  readonly size: number
  readonly flags?: number
  /** Index of another entry whose bytes it shares, for overlapping entries. */
  readonly sharesWith?: number
}

const MEBIBYTE = 1024 * 1024

/**
 * Returns deflated bytes that unpack to `times` copies of the chunk, without ever holding them in
 * memory.
 */
export function deflateRepeated(chunk: Buffer, times: number): Buffer {
  const block = deflateRawSync(chunk, { finishFlush: constants.Z_FULL_FLUSH, level: 9 })
  const end = deflateRawSync(Buffer.alloc(0))
  return Buffer.concat([...Array<Buffer>(times).fill(block), end])
}

export const entry = (name: string, text: string): ForgedEntry => {
  const bytes = Buffer.from(text)
  return { name, data: deflateRawSync(bytes), method: 8, size: bytes.length }
}

/** Unpacks to `head`, copies of the chunk up to about that many mebibytes, and `tail`. */
export function swollenEntry(
  name: string,
  mebibytes: number,
  {
    head = '',
    chunk = 'x',
    tail = '',
    size,
  }: { head?: string; chunk?: string; tail?: string; size?: number } = {},
): ForgedEntry {
  const block = Buffer.from(chunk.repeat(Math.ceil(MEBIBYTE / chunk.length)))
  const start = deflateRawSync(Buffer.from(head), { finishFlush: constants.Z_FULL_FLUSH })
  const middle = deflateRepeated(block, mebibytes).subarray(0, -2)
  const data = Buffer.concat([start, middle, deflateRawSync(Buffer.from(tail))])
  return {
    name,
    data,
    method: 8,
    size: size ?? head.length + block.length * mebibytes + tail.length,
  }
}

function localHeader({ name, data, method, size, flags = 0 }: ForgedEntry): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04_03_4b_50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(crc32(data), 14)
  header.writeUInt32LE(data.length, 18)
  header.writeUInt32LE(size, 22)
  header.writeUInt16LE(Buffer.byteLength(name), 26)
  return Buffer.concat([header, Buffer.from(name), data])
}

function directoryEntry(
  { name, data, method, size, flags = 0 }: ForgedEntry,
  offset: number,
): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02_01_4b_50, 0)
  header.writeUInt16LE(20, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(method, 10)
  header.writeUInt32LE(data.length, 20)
  header.writeUInt32LE(size, 24)
  header.writeUInt16LE(Buffer.byteLength(name), 28)
  header.writeUInt32LE(offset, 42)
  return Buffer.concat([header, Buffer.from(name)])
}

/** Returns a zip archive of these entries. */
export function forgeArchive(entries: readonly ForgedEntry[]): Buffer {
  const locals: Buffer[] = []
  const offsets: number[] = []
  let position = 0
  for (const forged of entries) {
    if (forged.sharesWith !== undefined) {
      offsets.push(offsets[forged.sharesWith]!)
      continue
    }
    offsets.push(position)
    const local = localHeader(forged)
    locals.push(local)
    position += local.length
  }
  const directory = Buffer.concat(
    entries.map((forged, index) => directoryEntry(forged, offsets[index]!)),
  )
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06_05_4b_50, 0)
  end.writeUInt16LE(Math.min(entries.length, 0xff_fe), 8)
  end.writeUInt16LE(Math.min(entries.length, 0xff_fe), 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(position, 16)
  return Buffer.concat([...locals, directory, end])
}
