/**
 * A part of a document around a passage, cut at line ends. Offsets are relative to the beginning of
 * the document.
 */
export interface TextWindow {
  readonly start: number
  readonly end: number
}

/** Number of characters shown before and after a passage at first, and added with each press. */
export const STEP = 4000

function toLineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

function toLineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', Math.min(offset, text.length))
  return end === -1 ? text.length : end
}

/** Length from which a line is cut in the middle. */
const LONGEST_LINE = 2000

/** Returns the part of a text shown around a passage. */
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
 * Returns the position of a quoted passage: the stated one, or else the position of the same text;
 * null if it is gone.
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
