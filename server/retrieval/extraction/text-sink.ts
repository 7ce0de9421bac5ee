import type { DocumentPage } from './document.ts'
import { Refusal } from './refusal.ts'

interface SinkOptions {
  readonly send: (text: string) => Promise<void>
  /** Maximum number of UTF-16 units of a document's text. */
  readonly maximumLength: number
}

const PART_LENGTH = 256 * 1024
/** Maximum line length; longer lines are split at any position when they are passed on. */
const LONGEST_LINE = 1024 * 1024

// oxlint-disable-next-line no-control-regex -- it searches for control characters
const UNWANTED = /[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff\u2028\u2029]/
// oxlint-disable-next-line no-control-regex -- it searches for control characters
const LINE_ENDS = /\r\n?|[\x0b\x0c\x85\u2028\u2029]/g
// oxlint-disable-next-line no-control-regex -- it searches for control characters
const CONTROLS = /[\0-\x08\x0e-\x1f\x7f-\x9f\ufeff]/g

/** Normalises a text: LF only, no control characters, no lone surrogates, composed letters. */
export function cleanText(text: string): string {
  const plain = UNWANTED.test(text) ? text.replace(LINE_ENDS, '\n').replace(CONTROLS, '') : text
  return plain.toWellFormed().normalize('NFC')
}

/**
 * Returns the position where the text can be split without separating characters that `cleanText`
 * must process together.
 */
function cutAt(text: string): number {
  const lineEnd = text.lastIndexOf('\n')
  if (lineEnd !== -1) return lineEnd + 1
  if (text.length < LONGEST_LINE) return 0
  const space = text.lastIndexOf(' ')
  if (space > text.length / 2) return space + 1
  const last = text.charCodeAt(text.length - 1)
  return last === 0x0d || (last >= 0xd8_00 && last < 0xdc_00) ? text.length - 1 : text.length
}

/** Target of the format readers for the text of a document, in order. */
export class TextSink {
  readonly #send
  readonly #maximumLength
  readonly pages: DocumentPage[] = []
  readonly #ready: string[] = []
  #pending = ''
  #length = 0
  #current: { label: string | null; start: number } | null = null

  constructor({ send, maximumLength }: SinkOptions) {
    this.#send = send
    this.#maximumLength = maximumLength
  }

  write(text: string): void {
    this.#pending += text
    if (this.#pending.length < PART_LENGTH) return
    const cut = cutAt(this.#pending)
    if (cut === 0) return
    this.#emit(this.#pending.slice(0, cut))
    this.#pending = this.#pending.slice(cut)
  }

  /** Ends the current page and starts the next one. */
  beginPage(label: string | null): void {
    this.#endPage()
    this.#current = { label, start: this.#length }
  }

  /** Passes on the finished parts; awaited between steps so that memory stays small. */
  async flush(): Promise<void> {
    for (const part of this.#ready.splice(0)) await this.#send(part)
  }

  /** Ends the text; afterwards only `length` and `pages` may be called. */
  async finish(): Promise<void> {
    this.#endPage()
    await this.flush()
  }

  /** Returns the number of units written so far, after cleaning. */
  length(): number {
    return this.#length + this.#pending.length
  }

  #emit(text: string): void {
    const clean = cleanText(text)
    if (clean === '') return
    this.#length += clean.length
    if (this.#length > this.#maximumLength)
      throw new Refusal(
        `The document holds more than ${Math.round(this.#maximumLength / 1e6)} million characters of text. Split it into smaller files.`,
      )
    this.#ready.push(clean)
  }

  #emitPending(): void {
    this.#emit(this.#pending)
    this.#pending = ''
  }

  #endPage(): void {
    this.#emitPending()
    if (this.#current)
      this.pages.push({
        number: this.pages.length + 1,
        label: this.#current.label,
        start: this.#current.start,
        end: this.#length,
      })
    this.#current = null
  }
}
