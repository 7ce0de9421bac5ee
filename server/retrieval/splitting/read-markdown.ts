import { linesOf, type Block } from './block.ts'

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*\n?$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const TABLE_ROW = /^ {0,3}\|/
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n?$/
const BLANK = /^\s*$/

type Line = { readonly text: string; readonly start: number; readonly end: number }

/** Reads lines and combines them to blocks; a class, because it keeps state between lines. */
class MarkdownReader {
  #kind: 'prose' | 'table' | 'code' | null = null
  #start = 0
  #end = 0
  #fence: string | null = null
  #rows = 0
  #headerEnd: number | undefined
  #isBroken = false

  #readFenced(line: Line): void {
    this.#end = line.end
    const closing = FENCE.exec(line.text)?.[1]
    if (closing?.startsWith(this.#fence!) && line.text.trim() === closing) this.#fence = null
  }

  /** Ends the current block. */
  *finish(): Generator<Block> {
    if (this.#kind)
      yield { kind: this.#kind, start: this.#start, end: this.#end, headerEnd: this.#headerEnd }
    this.#kind = null
    this.#headerEnd = undefined
  }

  *read(line: Line): Generator<Block> {
    if (this.#fence !== null) {
      this.#readFenced(line)
      return
    }
    const fence = FENCE.exec(line.text)?.[1]
    const heading = HEADING.exec(line.text)
    if (BLANK.test(line.text)) return yield* this.#readBlank(line)
    if (fence !== undefined) {
      yield* this.#begin('code', line)
      this.#fence = fence
    } else if (heading) {
      yield* this.finish()
      yield {
        kind: 'heading',
        start: line.start,
        end: line.end,
        level: heading[1]!.length,
        title: heading[2]!,
      }
    } else if (TABLE_ROW.test(line.text)) yield* this.#readRow(line)
    else if (this.#kind === 'prose' && !this.#isBroken) this.#end = line.end
    else yield* this.#begin('prose', line)
  }

  /** Blank lines end a paragraph and belong to the text before them. */
  *#readBlank(line: Line): Generator<Block> {
    if (this.#kind) {
      this.#end = line.end
      this.#isBroken = true
    } else yield { kind: 'prose', start: line.start, end: line.end }
  }

  *#readRow(line: Line): Generator<Block> {
    if (this.#kind !== 'table' || this.#isBroken) {
      yield* this.#begin('table', line)
      this.#rows = 1
      return
    }
    this.#rows += 1
    this.#end = line.end
    if (this.#rows === 2 && TABLE_RULE.test(line.text)) this.#headerEnd = line.end
  }

  *#begin(kind: 'prose' | 'table' | 'code', line: Line): Generator<Block> {
    yield* this.finish()
    this.#kind = kind
    this.#start = line.start
    this.#end = line.end
    this.#isBroken = false
  }
}

/** Yields headings, tables, fenced code and paragraphs (lists are paragraphs) of Markdown. */
export function* readMarkdown(text: string, start: number, end: number): Generator<Block> {
  const reader = new MarkdownReader()
  for (const line of linesOf(text, start, end))
    yield* reader.read({ ...line, text: text.slice(line.start, line.end) })
  yield* reader.finish()
}
