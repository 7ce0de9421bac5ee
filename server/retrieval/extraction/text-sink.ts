import type { DocumentPage } from './document.ts'
import { Refusal } from './refusal.ts'

/** Where the readers of formats write the text of a document, in order. */
export interface TextSink {
  write(text: string): void
  /** Ends the current page and begins the next one. */
  beginPage(label: string | null): void
  /** Hands on what is ready; awaited between pieces of work so that memory stays small. */
  flush(): Promise<void>
  /** Ends the text; afterwards only `length` and `pages` are asked for. */
  finish(): Promise<void>
  /** Units written so far, cleaned. */
  length(): number
  readonly pages: readonly DocumentPage[]
}

interface SinkOptions {
  readonly send: (text: string) => Promise<void>
  /** Most UTF-16 units of text a document may have. */
  readonly maximumLength: number
}

const PART_LENGTH = 256 * 1024
/** Lines longer than this are cut for handing on, wherever that is. */
const LONGEST_LINE = 1024 * 1024

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNWANTED = /[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff\u2028\u2029]/
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const LINE_ENDS = /\r\n?|[\x0b\x0c\x85\u2028\u2029]/g
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\0-\x08\x0e-\x1f\x7f-\x9f\ufeff]/g

/** LF only, no control characters, no half characters, composed letters. */
export function cleanText(text: string): string {
  const plain = UNWANTED.test(text) ? text.replace(LINE_ENDS, '\n').replace(CONTROLS, '') : text
  return plain.toWellFormed().normalize('NFC')
}

/** Where the text can be cut without separating what `cleanText` must see together. */
function cutAt(text: string): number {
  const lineEnd = text.lastIndexOf('\n')
  if (lineEnd !== -1) return lineEnd + 1
  if (text.length < LONGEST_LINE) return 0
  const space = text.lastIndexOf(' ')
  if (space > text.length / 2) return space + 1
  const last = text.charCodeAt(text.length - 1)
  return last === 0x0d || (last >= 0xd8_00 && last < 0xdc_00) ? text.length - 1 : text.length
}

export function createTextSink({ send, maximumLength }: SinkOptions): TextSink {
  const pages: DocumentPage[] = []
  const ready: string[] = []
  let pending = ''
  let length = 0
  let current: { label: string | null; start: number } | null = null

  function emit(text: string): void {
    const clean = cleanText(text)
    if (clean === '') return
    length += clean.length
    if (length > maximumLength)
      throw new Refusal(
        `The document holds more than ${Math.round(maximumLength / 1e6)} million characters of text. Split it into smaller files.`,
      )
    ready.push(clean)
  }

  function emitPending(): void {
    emit(pending)
    pending = ''
  }

  function endPage(): void {
    emitPending()
    if (current)
      pages.push({
        number: pages.length + 1,
        label: current.label,
        start: current.start,
        end: length,
      })
    current = null
  }

  async function flush(): Promise<void> {
    for (const part of ready.splice(0)) await send(part)
  }

  return {
    write(text) {
      pending += text
      if (pending.length < PART_LENGTH) return
      const cut = cutAt(pending)
      if (cut === 0) return
      emit(pending.slice(0, cut))
      pending = pending.slice(cut)
    },
    beginPage(label) {
      endPage()
      current = { label, start: length }
    },
    flush,
    async finish() {
      endPage()
      await flush()
    },
    length: () => length + pending.length,
    pages,
  }
}
