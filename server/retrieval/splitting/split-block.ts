import { linesOf, type Block } from './block.ts'
import type { CountTokens } from './count-tokens.ts'

/** The smallest section that is not split. */
export interface Unit {
  readonly start: number
  readonly end: number
  readonly tokens: number
}

/**
 * Position after the end of a sentence with its closing marks, and before an entry of a list.
 * Scripts without spaces need none.
 */
const SENTENCE_ENDS =
  /[.!?…]+["'”’»)\]]*\s+|[。！？｡]+[」』”）]*\s*|\n(?=[ \t]*(?:[-*+•·]|\d{1,3}[.)])[ \t])|\n{2,}/g
/** Number of characters below which paragraphs are not split. */
const SHORT = 240

function* sentencesOf(
  text: string,
  { start, end }: Block,
): Generator<{ start: number; end: number }> {
  if (end - start < SHORT) return yield { start, end }
  const stretch = text.slice(start, end)
  let from = 0
  for (const match of stretch.matchAll(SENTENCE_ENDS)) {
    const to = match.index + match[0].length
    if (to < stretch.length) yield { start: start + from, end: start + to }
    if (to < stretch.length) from = to
  }
  yield { start: start + from, end }
}

/** Returns true within a surrogate pair, and before a combining mark. */
function isInsideCharacter(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  if (code >= 0xdc00 && code <= 0xdfff) return true
  return code > 0x7f && /^[\p{M}\u200d]/u.test(text.slice(place, place + 2))
}

/** Returns the last white space before `limit`, or a border between characters. */
function findCut(text: string, start: number, limit: number): number {
  for (let place = limit; place > start + (limit - start) / 2; place -= 1)
    if (/\s/.test(text[place - 1]!)) return place
  let place = limit
  while (place > start + 1 && isInsideCharacter(text, place)) place -= 1
  return place
}

/** Cuts text that is too long even for a separate passage. */
function* cutLong(
  text: string,
  stretch: { start: number; end: number },
  size: number,
  count: CountTokens,
): Generator<Unit> {
  let { start } = stretch
  let length = Math.max(16, size * 2)
  while (start < stretch.end) {
    let end = start + length >= stretch.end ? stretch.end : findCut(text, start, start + length)
    let tokens = count(text.slice(start, end))
    while (tokens > size && end - start > 8) {
      end = findCut(
        text,
        start,
        start + Math.max(8, Math.floor(((end - start) * size * 0.9) / tokens)),
      )
      tokens = count(text.slice(start, end))
    }
    length = Math.max(16, Math.floor(((end - start) * size * 0.95) / Math.max(1, tokens)))
    yield { start, end, tokens }
    start = end
  }
}

/**
 * Yields the units of a block in order, without gaps: sentences of prose, lines of code and tables;
 * none has more than `size` tokens.
 */
export function* splitBlock(
  text: string,
  block: Block,
  size: number,
  count: CountTokens,
): Generator<Unit> {
  const stretches =
    block.kind === 'table' || block.kind === 'code'
      ? linesOf(text, block.start, block.end)
      : sentencesOf(text, block)
  for (const { start, end } of stretches) {
    // Counting text far beyond the size would take long and gain nothing.
    const tokens =
      end - start > size * 12 ? Number.POSITIVE_INFINITY : count(text.slice(start, end))
    if (tokens > size) yield* cutLong(text, { start, end }, size, count)
    else yield { start, end, tokens }
  }
}
