/** A picture out of a `data:` address. */
export interface DataImage {
  readonly type: string
  readonly bytes: Buffer
}

/** The kinds of pictures that can carry no script, with the bytes each begins with. */
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

/** The media type of a PNG, JPEG, GIF or WebP picture by its bytes; null for anything else. */
export const bitmapType = (bytes: Buffer): string | null =>
  KINDS.find(({ isKind }) => isKind(bytes))?.type ?? null

/** Whether bytes are a PNG, JPEG, GIF or WebP picture. */
export const isBitmap = (bytes: Buffer): boolean => bitmapType(bytes) !== null

/**
 * Reads a base64 `data:` address; null unless its content is a PNG, JPEG, GIF or WebP picture,
 * whatever it says it is.
 */
export function parseDataImage(address: string): DataImage | null {
  const comma = address.indexOf(',')
  if (comma === -1 || !/^data:image\/[\w.+-]+(;[\w=-]+)*;base64$/i.test(address.slice(0, comma)))
    return null
  const bytes = Buffer.from(address.slice(comma + 1), 'base64')
  const type = bitmapType(bytes)
  return type === null ? null : { type, bytes }
}
