/** Number of characters decoded at once: a multiple of four. */
const SLICE = 1024 * 1024

/** Minimum buffer size. */
const LEAST_BYTES = 64 * 1024

/** Returns an upper bound for the number of bytes decoded from this many characters. */
const decodedLength = (characters: number): number => Math.ceil(characters / 4) * 3

/**
 * Decodes base64 that arrives in arbitrary chunks, into one buffer: joining the chunks at the end
 * would hold an image twice and touch all of it in one turn of the event loop.
 */
export class Base64Decoder {
  #target: Buffer
  #rest = ''
  size = 0

  /** `expected` is the probable number of characters. Unused buffer space costs nothing. */
  constructor(expected = 0) {
    this.#target = Buffer.allocUnsafeSlow(Math.max(LEAST_BYTES, decodedLength(expected)))
  }

  write(text: string): void {
    const all = this.#rest + text
    const whole = all.length - (all.length % 4)
    this.#rest = all.slice(whole)
    this.#keep(all.slice(0, whole))
  }

  end(): Buffer {
    this.#keep(this.#rest)
    this.#rest = ''
    return this.#target.subarray(0, this.size)
  }

  #keep(text: string): void {
    const needed = this.size + decodedLength(text.length)
    if (needed > this.#target.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#target.length * 2))
      this.#target.copy(larger, 0, 0, this.size)
      this.#target = larger
    }
    this.size += this.#target.write(text, this.size, 'base64')
  }
}

/** Decodes a long text in short steps. */
export function* decodeInSteps(text: string, from = 0): Generator<void, Buffer> {
  const decoder = new Base64Decoder(text.length - from)
  for (let at = from; at < text.length; at += SLICE) {
    decoder.write(text.slice(at, at + SLICE))
    yield
  }
  return decoder.end()
}

/** Number of bytes encoded into one slice of text, without padding between slices. */
const BYTES = (SLICE / 4) * 3

/** Encodes bytes in base64, chunk by chunk. */
export function* encodeInSteps(bytes: Buffer): Generator<string, void> {
  for (let at = 0; at < bytes.length; at += BYTES)
    yield bytes.toString('base64', at, Math.min(bytes.length, at + BYTES))
}

/** Returns the length of the base64 text for this many bytes. */
export const encodedLength = (bytes: number): number => Math.ceil(bytes / 3) * 4
