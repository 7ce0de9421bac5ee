/** Characters that need no escape in the extended form of a parameter (RFC 8187). */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )

/**
 * Returns a `Content-Disposition` that every client accepts: the name in ASCII, and the exact name
 * beside it.
 */
export const toDisposition = (
  filename: string,
  kind: 'inline' | 'attachment' = 'attachment',
): string =>
  `${kind}; filename="${filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeName(filename)}`
