export interface ImageSize {
  readonly width: number
  readonly height: number
}

function measurePng(bytes: Buffer): ImageSize | null {
  return bytes.length < 24
    ? null
    : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function measureGif(bytes: Buffer): ImageSize | null {
  return bytes.length < 10 ? null : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

/** Walks the segments from the start up to the one that begins the frame. */
function measureJpeg(bytes: Buffer): ImageSize | null {
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1]!
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    const isFilling = marker === 0xff
    // A segment has at least its own two length bytes; less would not advance.
    const length = isFilling ? -1 : Math.max(2, bytes.readUInt16BE(at + 2))
    at += 2 + length
  }
  return null
}

const readUInt24 = (bytes: Buffer, at: number): number => bytes.readUIntLE(at, 3)

function measureWebp(bytes: Buffer): ImageSize | null {
  if (bytes.length < 30) return null
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X')
    return { width: readUInt24(bytes, 24) + 1, height: readUInt24(bytes, 27) + 1 }
  if (kind === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return null
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const READERS: Readonly<Record<string, (bytes: Buffer) => ImageSize | null>> = {
  'image/png': measurePng,
  'image/gif': measureGif,
  'image/jpeg': measureJpeg,
  'image/webp': measureWebp,
}

/**
 * Returns the size of an image from its header, without decoding it; null if it is not stated.
 * `type` is that of `bitmapType`.
 */
export function measureImage(type: string, bytes: Buffer): ImageSize | null {
  const size = READERS[type]?.(bytes) ?? null
  return size && size.width > 0 && size.height > 0 ? size : null
}
