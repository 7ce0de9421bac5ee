/**
 * A part of a document around a passage, cut at ends of lines. Offsets count from the beginning of
 * the document.
 */
export interface TextWindow {
  readonly start: number
  readonly end: number
}

/** So much is shown before and after a passage at first, and added with each press. */
export const STEP = 4000

function toLineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

function toLineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', Math.min(offset, text.length))
  return end === -1 ? text.length : end
}

/** So long a line is cut inside. */
const LONGEST_LINE = 2000

/** What is shown of a text around a passage. */
export function windowAround(
  text: string,
  passage: TextWindow,
  before = STEP,
  after = STEP,
): TextWindow {
  const [first, last] = [
    Math.max(0, passage.start - before),
    Math.min(text.length, passage.end + after),
  ]
  const [start, end] = [toLineStart(text, first), toLineEnd(text, last)]
  return {
    start: first - start > LONGEST_LINE ? first : start,
    end: end - last > LONGEST_LINE ? last : end,
  }
}

/**
 * Where a quoted passage stands: where it is said to, else where the same words stand; null when
 * they are gone.
 */
export function findPassage(
  text: string,
  quote: string,
  start: number | null,
  end: number | null,
): TextWindow | null {
  if (start !== null && end !== null && end <= text.length && start < end) return { start, end }
  const found = quote === '' ? -1 : text.indexOf(quote)
  return found === -1 ? null : { start: found, end: found + quote.length }
}
