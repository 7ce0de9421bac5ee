/** Maximum length for which copying is worthwhile. */
const MOST_BYTES = 12 * 1024

/**
 * Returns bytes as Latin-1 text that is sent together with the head, which is Latin-1 too: a single
 * short write instead of two, with their objects. Null for anything except short bytes.
 */
export const toShortText = (piece: unknown): string | null =>
  Buffer.isBuffer(piece) && piece.length <= MOST_BYTES ? piece.toString('latin1') : null
