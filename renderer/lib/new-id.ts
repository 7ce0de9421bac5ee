/** Bits that say that an id is a random one, and of which kind. */
function markRandom(bytes: Uint8Array): Uint8Array {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes
}

function writeId(): string {
  const bytes = markRandom(crypto.getRandomValues(new Uint8Array(16)))
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * A random id. Browsers make none themselves on a page whose way to them others could read, such as
 * one of plain http from another computer.
 */
export const newId = (): string =>
  (crypto as Partial<Crypto>).randomUUID ? crypto.randomUUID() : writeId()
