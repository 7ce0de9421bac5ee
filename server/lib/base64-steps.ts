/** Characters decoded at once: a multiple of four. */
const SLICE = 1024 * 1024

/** Decodes base64 that comes in pieces, cut anywhere. */
export class Base64Decoder {
  readonly #parts: Buffer[] = []
  #rest = ''
  size = 0

  write(text: string): void {
    const all = this.#rest + text
    const whole = all.length - (all.length % 4)
    this.#rest = all.slice(whole)
    this.#keep(all.slice(0, whole))
  }

  end(): Buffer {
    this.#keep(this.#rest)
    return Buffer.concat(this.#parts, this.size)
  }

  #keep(text: string): void {
    const bytes = Buffer.from(text, 'base64')
    this.#parts.push(bytes)
    this.size += bytes.length
  }
}

/** Decodes a long text in short steps. */
export function* decodeInSteps(text: string, from = 0): Generator<void, Buffer> {
  const decoder = new Base64Decoder()
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
