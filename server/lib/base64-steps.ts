/** Characters decoded at once: a multiple of four. */
const SLICE = 1024 * 1024

/** The least room that is made. */
const LEAST_BYTES = 64 * 1024

/** How many bytes so many characters become, or a few less. */
const decodedLength = (characters: number): number => Math.ceil(characters / 4) * 3

/**
 * Decodes base64 that comes in pieces, cut anywhere, into one stretch of memory: joining the pieces
 * at the end would hold a picture twice and touch all of it in one turn of the event loop.
 */
export class Base64Decoder {
  #target: Buffer
  #rest = ''
  size = 0

  /** `expected` is how many characters are likely to come. Room that is not filled costs nothing. */
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

/** Bytes that become one slice of text each, without filling characters between two of them. */
const BYTES = (SLICE / 4) * 3

/** The base64 of bytes, piece by piece. */
export function* encodeInSteps(bytes: Buffer): Generator<string, void> {
  for (let at = 0; at < bytes.length; at += BYTES)
    yield bytes.toString('base64', at, Math.min(bytes.length, at + BYTES))
}

/** How long the base64 of so many bytes is. */
export const encodedLength = (bytes: number): number => Math.ceil(bytes / 3) * 4
