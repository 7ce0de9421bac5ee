/** Sets the bits that mark an id as random, and its version and variant. */
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
 * Returns a random id. Browsers provide `crypto.randomUUID` only in secure contexts, so not on a
 * plain http page from another computer.
 */
export const newId = (): string =>
  (crypto as Partial<Crypto>).randomUUID ? crypto.randomUUID() : writeId()
