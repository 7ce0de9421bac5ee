import { ByteGatherer } from './byte-gatherer.ts'

const LF = 10
const CR = 13

export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError'
}

/** Maximum length of a line of a stream in bytes: enough for an image of 8 MB in base64. */
export const LINE_LIMIT = 12 * 1024 * 1024

/**
 * Splits a stream of bytes into lines that end with LF, CR or CRLF, wherever the chunks are split.
 * A line is decoded as a whole, so a code point split over two chunks stays intact; invalid bytes
 * become U+FFFD.
 */
export class LineScanner {
  readonly #limit: number
  /** Joining the pieces of a long line only at its end would block the event loop. */
  readonly #held = new ByteGatherer()
  #afterCarriageReturn = false

  constructor(limit = LINE_LIMIT) {
    this.#limit = limit
  }

  /**
   * Returns the lines completed by this chunk, without their line ends. Throws `LineTooLongError`.
   */
  push(chunk: Buffer): string[] {
    if (!this.#afterCarriageReturn && chunk.length <= this.#limit && chunk.indexOf(CR) === -1)
      return this.#takeWhole(chunk)
    const lines: string[] = []
    let start = 0
    if (this.#afterCarriageReturn && chunk.length > 0) {
      if (chunk[0] === LF) start = 1
      this.#afterCarriageReturn = false
    }
    let lineFeed = chunk.indexOf(LF, start)
    let carriageReturn = chunk.indexOf(CR, start)
    for (;;) {
      if (lineFeed !== -1 && lineFeed < start) lineFeed = chunk.indexOf(LF, start)
      if (carriageReturn !== -1 && carriageReturn < start) carriageReturn = chunk.indexOf(CR, start)
      const end = firstOf(lineFeed, carriageReturn)
      if (end === -1) break
      lines.push(this.#take(chunk.subarray(start, end)))
      start = end + 1
      if (end !== carriageReturn) continue
      if (start === chunk.length) this.#afterCarriageReturn = true
      else if (chunk[start] === LF) start += 1
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start))
    return lines
  }

  /** Returns the unfinished last line, or null. */
  end(): string | null {
    return this.#held.size === 0 ? null : this.#take(Buffer.alloc(0))
  }

  /** Returns true if the next byte begins a line. */
  isBetweenLines(): boolean {
    return this.#held.size === 0 && !this.#afterCarriageReturn
  }

  #requireFit(piece: Buffer): void {
    if (this.#held.size + piece.length > this.#limit)
      throw new LineTooLongError(`A line is longer than ${this.#limit} bytes.`)
  }

  #take(piece: Buffer): string {
    this.#requireFit(piece)
    if (this.#held.size === 0) return piece.toString('utf8')
    this.#held.push(piece)
    return this.#held.take().toString('utf8')
  }

  #hold(piece: Buffer): void {
    this.#requireFit(piece)
    this.#held.push(piece)
  }

  /**
   * Reads complete lines that end with LF, decoded at once: a stream of short lines costs several
   * times as much line by line.
   */
  #takeWhole(chunk: Buffer): string[] {
    const first = this.#held.size === 0 ? 0 : chunk.indexOf(LF) + 1
    const end = chunk.lastIndexOf(LF)
    if (end === -1) {
      this.#hold(chunk)
      return []
    }
    const lines = first === 0 ? [] : [this.#take(chunk.subarray(0, first - 1))]
    if (end >= first) lines.push(...chunk.toString('utf8', first, end).split('\n'))
    if (end + 1 < chunk.length) this.#hold(chunk.subarray(end + 1))
    return lines
  }
}

/** Returns the smaller of two positions, where -1 means none. */
function firstOf(left: number, right: number): number {
  if (left === -1) return right
  return right === -1 ? left : Math.min(left, right)
}
