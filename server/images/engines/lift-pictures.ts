import { randomUUID } from 'node:crypto'
import { Base64Decoder, encodedLength } from '../../lib/bytes/base64-steps.ts'
import { badRequest } from '../../lib/errors.ts'
import { BACKSLASH, QUOTE } from '../../lib/json/json-bytes.ts'
import { parseJsonInSteps } from '../../lib/json/parse-json.ts'
import { runInTurns } from '../../lib/turns.ts'

/** Limits of a response: size of each image, number of images, and size of everything else. */
export interface LiftBounds {
  readonly pictureBytes: number
  readonly pictures: number
}

/** The JSON of a response whose images were extracted. */
export interface LiftedJson {
  readonly value: unknown
  /**
   * Decodes base64, with or without the prefix of a `data:` URL: returns the extracted image of
   * this placeholder, or the bytes of the short text itself.
   */
  readonly picture: (text: unknown) => Buffer | null
}

/** Texts of at least this length that look like base64 are treated as images. */
const LONG = 4096
const REST_BYTES = 4 * 1024 * 1024
const PICTURE = /^(?:data:[\w/+.;=-]{0,200},)?[A-Za-z0-9+/=_\\-]*$/
const HEAD = /^data:[^,]{0,300},/

const tooLarge = (megabytes: number) =>
  badRequest(`The picture is larger than ${megabytes} MB, which is more than is taken.`, {
    code: 'picture_too_large',
  })

/**
 * Reads a JSON document as a stream and decodes long base64 texts on the fly, so that images are
 * never held as text nor parsed in one go.
 */
export class PictureLifter {
  readonly #bounds: LiftBounds
  /** Prefix of the placeholders for images; cannot be guessed by a server. */
  readonly #mark = `lifted:${randomUUID()}:`
  readonly #pictures: Buffer[] = []
  readonly #parts: Buffer[] = []
  #size = 0
  #place: 'outside' | 'head' | 'text' | 'picture' = 'outside'
  #isEscaped = false
  #head: Buffer[] = []
  #headSize = 0
  #decoder: Base64Decoder | null = null
  /** Remaining bytes of the response, if the server stated its length. */
  #left: number

  /** `expected` is the length the server stated; values above the limits are not trusted. */
  constructor(bounds: LiftBounds, expected = 0) {
    this.#bounds = bounds
    this.#left = Math.min(expected, encodedLength(bounds.pictureBytes))
  }

  write(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) at = this.#step(chunk, at)
  }

  async end(): Promise<LiftedJson> {
    const { value } = await runInTurns(parseJsonInSteps(Buffer.concat(this.#parts, this.#size)))
    const [mark, pictures] = [this.#mark, this.#pictures]
    return {
      value,
      picture: (text) => {
        if (typeof text !== 'string' || text === '') return null
        if (text.startsWith(mark)) return pictures[Number(text.slice(mark.length))] ?? null
        return text.length < LONG ? Buffer.from(text.replace(HEAD, ''), 'base64') : null
      },
    }
  }

  #step(chunk: Buffer, at: number): number {
    if (this.#place === 'outside') return this.#readOutside(chunk, at)
    return this.#place === 'picture' ? this.#readPicture(chunk, at) : this.#readText(chunk, at)
  }

  #readOutside(chunk: Buffer, at: number): number {
    const quote = chunk.indexOf(QUOTE, at)
    const end = quote === -1 ? chunk.length : quote + 1
    this.#keep(chunk.subarray(at, end))
    if (quote !== -1) this.#place = 'head'
    return end
  }

  #readText(chunk: Buffer, at: number): number {
    const end = this.#findEnd(chunk, at)
    const isOver = end < chunk.length
    const piece = chunk.subarray(at, end)
    if (this.#place === 'text') this.#keep(piece)
    else {
      this.#head.push(piece)
      this.#headSize += piece.length
      if (isOver) this.#keepHead()
      else if (this.#headSize >= LONG) this.#decide()
    }
    if (isOver) this.#place = 'outside'
    // The closing quote belongs to the surrounding JSON; it is kept here, because it would
    // otherwise open another text.
    if (isOver) this.#keep(chunk.subarray(end, end + 1))
    return isOver ? end + 1 : end
  }

  /**
   * Returns the position at which the text ends, or at which enough of it has arrived to classify
   * it.
   */
  #findEnd(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) return at
    }
    return chunk.length
  }

  #keepHead(): void {
    const head = Buffer.concat(this.#head, this.#headSize)
    this.#head = []
    this.#headSize = 0
    if (head.length >= LONG && this.#isPicture(head)) {
      this.#begin(head)
      this.#finish()
    } else this.#keep(head)
  }

  #decide(): void {
    const head = Buffer.concat(this.#head, this.#headSize)
    this.#head = []
    this.#headSize = 0
    if (this.#isPicture(head)) {
      this.#begin(head)
      this.#place = 'picture'
      this.#isEscaped = false
    } else {
      this.#keep(head)
      this.#place = 'text'
    }
  }

  /** If no images are expected, a long text is not treated as one. */
  #isPicture(head: Buffer): boolean {
    return this.#bounds.pictures > 0 && PICTURE.test(head.toString('latin1', 0, LONG))
  }

  #begin(head: Buffer): void {
    if (this.#pictures.length >= this.#bounds.pictures)
      throw badRequest('The answer holds more pictures than were asked for.', {
        code: 'too_many_pictures',
      })
    this.#decoder = new Base64Decoder(this.#left)
    this.#left = 0
    this.#decode(head.toString('latin1').replace(HEAD, ''))
  }

  #readPicture(chunk: Buffer, at: number): number {
    const quote = chunk.indexOf(QUOTE, at)
    const end = quote === -1 ? chunk.length : quote
    this.#decode(chunk.toString('latin1', at, end))
    if (quote === -1) return end
    this.#finish()
    this.#keep(chunk.subarray(quote, quote + 1))
    this.#place = 'outside'
    return quote + 1
  }

  /**
   * @NOTE Some JSON writers escape the slash, which base64 may contain, and others insert line
   *   breaks.
   */
  #decode(text: string): void {
    const decoder = this.#decoder!
    decoder.write(text.includes('\\') ? text.replace(/\\[nr]/g, '').replaceAll('\\', '') : text)
    const { pictureBytes } = this.#bounds
    if (decoder.size > pictureBytes) throw tooLarge(Math.floor(pictureBytes / 1_000_000))
  }

  #finish(): void {
    this.#keep(Buffer.from(`${this.#mark}${this.#pictures.length}`))
    this.#pictures.push(this.#decoder!.end())
    this.#decoder = null
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length
    if (this.#size > REST_BYTES)
      throw badRequest('The answer is larger than any answer with pictures has to be.', {
        code: 'answer_too_large',
      })
    this.#parts.push(piece)
  }
}
