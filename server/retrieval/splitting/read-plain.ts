import { linesOf, type Block } from './block.ts'

/** A separate numbered line that is no sentence: "2.1 Returns", "§ 4 Liability", "Chapter 3". */
const NUMBERED =
  /^(?:(?:chapter|kapitel|chapitre|section|part|teil|partie|artikel|article) +)?(?:§ *)?(\d{1,3}(?:\.\d{1,3}){0,4}\.?)(?: +(\S.{0,90}))?$/i
const SENTENCE_END = /[.!?:;,。！？]$/

function toHeading(text: string, start: number, end: number): Block | null {
  if (end - start > 120) return null
  const line = text.slice(start, end).trim()
  const found = NUMBERED.exec(line)
  if (!found || SENTENCE_END.test(line) || (found[2] === undefined && /^[\d.]+$/.test(line)))
    return null
  return {
    kind: 'heading',
    start,
    end,
    level: found[1]!.split('.').filter(Boolean).length,
    title: line,
  }
}

/** Yields paragraphs of plain text, with the recognisable headings. */
export function* readText(text: string, start: number, end: number): Generator<Block> {
  const isBlank = (line: { start: number; end: number }): boolean =>
    text.slice(line.start, line.end).trim() === ''
  let from = start
  let hasWords = false
  let wasBlank = false
  const toBlock = (to: number): Block =>
    toHeading(text, from, to) ?? { kind: 'prose', start: from, end: to }
  for (const line of linesOf(text, start, end)) {
    const blank = isBlank(line)
    if (!blank && wasBlank && hasWords) {
      yield toBlock(line.start)
      from = line.start
    }
    if (!blank) hasWords = true
    wasBlank = blank
  }
  if (from < end) yield toBlock(end)
}

/**
 * Yields functions and other sections of code, split where a blank line is followed by one that is
 * not indented.
 */
export function* readCode(text: string, start: number, end: number): Generator<Block> {
  let from = start
  let wasBlank = false
  for (const line of linesOf(text, start, end)) {
    const blank = text.slice(line.start, line.end).trim() === ''
    if (wasBlank && !blank && !/[\s)}\]]/.test(text[line.start]!) && line.start > from) {
      yield { kind: 'code', start: from, end: line.start }
      from = line.start
    }
    wasBlank = blank
  }
  if (from < end) yield { kind: 'code', start: from, end }
}

/** Yields rows, the first of which contains the column names. */
export function* readTable(text: string, start: number, end: number): Generator<Block> {
  const [first] = linesOf(text, start, end)
  if (first) yield { kind: 'table', start, end, headerEnd: first.end }
}
