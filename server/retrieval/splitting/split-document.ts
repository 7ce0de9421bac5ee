import type { ExtractedDocument } from '../extraction/index.ts'
import type { Block } from './block.ts'
import { Packer, type Chunk } from './pack-chunks.ts'
import { readMarkdown } from './read-markdown.ts'
import { readCode, readTable, readText } from './read-plain.ts'
import type { SplitOptions } from './split-options.ts'

/** A page, or the text between pages. */
interface Section {
  readonly start: number
  readonly end: number
  readonly page: number | null
  readonly label: string | null
}

/**
 * Yields sections that cover the whole text: white space between pages belongs to the page before
 * it, any other text is a section without page.
 */
function* sectionsOf({
  text,
  pages,
}: Pick<ExtractedDocument, 'text' | 'pages'>): Generator<Section> {
  let from = 0
  const gap = (end: number): Section => ({ start: from, end, page: null, label: null })
  for (const [place, page] of pages.entries()) {
    const start = Math.max(from, Math.min(page.start, text.length))
    if (start > from && text.slice(from, start).trim() !== '') yield gap(start)
    const next = pages[place + 1]?.start ?? text.length
    const own = Math.max(start, Math.min(page.end, text.length))
    const end =
      text.slice(own, Math.max(own, next)).trim() === ''
        ? Math.max(own, Math.min(next, text.length))
        : own
    yield {
      start: start > from && text.slice(from, start).trim() === '' ? from : start,
      end,
      page: page.number,
      label: page.label,
    }
    from = end
  }
  if (from < text.length) yield gap(text.length)
}

const isMarkdownTable = (text: string): boolean => /^\s*(#|\|)/.test(text.slice(0, 2000))

function blocksOf({
  text,
  format,
}: Pick<ExtractedDocument, 'text' | 'format'>): (start: number, end: number) => Generator<Block> {
  if (format === 'markdown' || (format === 'table' && isMarkdownTable(text)))
    return (start, end) => readMarkdown(text, start, end)
  if (format === 'code') return (start, end) => readCode(text, start, end)
  if (format === 'table') return (start, end) => readTable(text, start, end)
  return (start, end) => readText(text, start, end)
}

/**
 * Splits a document into chunks in order. `text.slice(start, end)` is a chunk's text; chunks touch
 * or overlap, so that together they are the whole document. None crosses a page, and none has more
 * tokens than `size` except for the sum of rounding its parts.
 */
export function* splitDocument(
  document: Pick<ExtractedDocument, 'text' | 'format' | 'pages'>,
  options: SplitOptions,
): Generator<Chunk> {
  const { text } = document
  const blocks = blocksOf(document)
  // Headings continue across pages, because page breaks do not follow the structure of the text.
  const packer = new Packer(text, options)
  for (const section of sectionsOf(document)) {
    packer.begin({ page: section.page, page_label: section.label })
    for (const block of blocks(section.start, section.end)) yield* packer.add(block)
    yield* packer.finish()
  }
}
