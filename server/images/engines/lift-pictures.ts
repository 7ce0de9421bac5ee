import { randomUUID } from 'node:crypto'
import { Base64Decoder, encodedLength } from '../../lib/base64-steps.ts'
import { badRequest } from '../../lib/errors.ts'
import { BACKSLASH, QUOTE } from '../../lib/json-bytes.ts'
import { parseJsonInSteps } from '../../lib/parse-json.ts'
import { runInTurns } from '../../lib/turns.ts'

/** How much an answer may hold: each of its pictures, how many of them, and everything else. */
export interface LiftBounds {
  readonly pictureBytes: number
  readonly pictures: number
}

/** The JSON of an answer whose pictures were taken out. */
export interface LiftedJson {
  readonly value: unknown
  /**
   * The bytes behind base64, with or without the head of a `data:` address: of the picture that was
   * here, or of the short text itself.
   */
  readonly picture: (text: unknown) => Buffer | null
}

/** Texts at least this long that look like base64 are taken for pictures. */
const LONG = 4096
const REST_BYTES = 4 * 1024 * 1024
const PICTURE = /^(?:data:[\w/+.;=-]{0,200},)?[A-Za-z0-9+/=_\\-]*$/
const HEAD = /^data:[^,]{0,300},/

const tooLarge = (megabytes: number) =>
  badRequest(`The picture is larger than ${megabytes} MB, which is more than is taken.`, {
    code: 'picture_too_large',
  })

/**
 * Reads a JSON document as it comes and decodes the long base64 texts in it on the way, so that
 * pictures are never held as text nor parsed in one go.
 */
export class PictureLifter {
  readonly #bounds: LiftBounds
  /** Begins the texts that take the place of pictures; nobody else can know it. */
  readonly #mark = `lifted:${randomUUID()}:`
  readonly #pictures: Buffer[] = []
  readonly #parts: Buffer[] = []
  #size = 0
  #place: 'outside' | 'head' | 'text' | 'picture' = 'outside'
  #isEscaped = false
  #head: Buffer[] = []
  #headSize = 0
  #decoder: Base64Decoder | null = null
  /** Bytes of the answer that are still to come, where its server said how many there are. */
  #left: number

  /** `expected` is what the server says of the length; no more is believed than is taken. */
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
    // The quote that ends a text belongs to what is outside; it is kept here, as it would else
    // begin another one.
    if (isOver) this.#keep(chunk.subarray(end, end + 1))
    return isOver ? end + 1 : end
  }

  /** Where the text ends, or the head of it is long enough to be judged. */
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

  /** Where no picture is expected, a long word is a long word. */
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
   * @NOTE Some writers of JSON escape the slash, which base64 may hold, and others break its lines.
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
