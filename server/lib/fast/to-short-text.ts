/** Longer bytes are not worth their copy. */
const MOST_BYTES = 12 * 1024

/**
 * Bytes as a text in Latin-1 that leaves together with a head, which is one: a single short write
 * where head and bytes would be two with their objects. Null for all that is not short bytes.
 */
export const toShortText = (piece: unknown): string | null =>
  Buffer.isBuffer(piece) && piece.length <= MOST_BYTES ? piece.toString('latin1') : null
