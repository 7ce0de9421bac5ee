/** Image from a `data:` URL. */
export interface DataImage {
  readonly type: string
  readonly bytes: Buffer
}

/** Image types that cannot carry scripts, with the bytes each starts with. */
const KINDS: readonly { readonly type: string; readonly isKind: (bytes: Buffer) => boolean }[] = [
  {
    type: 'image/png',
    isKind: (bytes) =>
      bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  },
  {
    type: 'image/jpeg',
    isKind: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  },
  { type: 'image/gif', isKind: (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) },
  {
    type: 'image/webp',
    isKind: (bytes) => /^RIFF[^]{4}WEBP$/.test(bytes.toString('latin1', 0, 12)),
  },
]

/**
 * Returns the media type of a PNG, JPEG, GIF or WebP image by its bytes; null for anything else.
 */
export const bitmapType = (bytes: Buffer): string | null =>
  KINDS.find(({ isKind }) => isKind(bytes))?.type ?? null

/** Returns true if bytes are a PNG, JPEG, GIF or WebP image. */
export const isBitmap = (bytes: Buffer): boolean => bitmapType(bytes) !== null

/**
 * Parses a base64 `data:` URL; returns null unless its content is a PNG, JPEG, GIF or WebP image,
 * whatever its declared type.
 */
export function parseDataImage(address: string): DataImage | null {
  const comma = address.indexOf(',')
  if (comma === -1 || !/^data:image\/[\w.+-]+(;[\w=-]+)*;base64$/i.test(address.slice(0, comma)))
    return null
  const bytes = Buffer.from(address.slice(comma + 1), 'base64')
  const type = bitmapType(bytes)
  return type === null ? null : { type, bytes }
}
