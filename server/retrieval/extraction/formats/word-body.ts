import { attribute, type Attributes, type XmlListener } from '../archive/parse-xml.ts'
import type { Relation } from '../archive/relations.ts'
import type { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { WordStyles } from './word-styles.ts'

interface Paragraph {
  text: string
  style: string | null
  outline: number | null
  list: string | null
  depth: number
  link: { readonly target: string; readonly start: number } | null
}

const emptyParagraph = (): Paragraph => ({
  text: '',
  style: null,
  outline: null,
  list: null,
  depth: 0,
  link: null,
})

/** Elements that are duplicates, deleted, or formulas of a field rather than its text. */
const SKIPPED = new Set([
  'Fallback',
  'del',
  'moveFrom',
  'instrText',
  'delText',
  'rPrChange',
  'pPrChange',
])
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  br: '\n',
  cr: '\n',
  noBreakHyphen: '-',
}

export interface WordBodyOptions {
  readonly writer: MarkdownWriter
  readonly styles: WordStyles
  readonly relations: ReadonlyMap<string, Relation>
}

/** Writes finished paragraphs as headings, items of lists or text. */
function createParagraphWriter({
  writer,
  styles,
}: WordBodyOptions): (paragraph: Paragraph) => void {
  const counters = new Map<string, number>()
  const deeper = (key: string, list: string, depth: number): boolean =>
    key.startsWith(`${list}/`) && Number(key.split('/')[1]) > depth

  function nextMarker(list: string, depth: number): string {
    if (!styles.isNumbered(list, depth)) return '-'
    const number = (counters.get(`${list}/${depth}`) ?? 0) + 1
    counters.set(`${list}/${depth}`, number)
    for (const key of counters.keys()) if (deeper(key, list, depth)) counters.delete(key)
    return `${number}.`
  }

  return ({ text, style, outline, list, depth }) => {
    const level = outline ?? styles.headingLevel(style)
    if (level !== null) writer.heading(level, text)
    else if (list !== null) writer.listItem(depth, nextMarker(list, depth), text)
    else writer.paragraph(text)
  }
}

function describe(paragraph: Paragraph, name: string, attributes: Attributes): void {
  const value = attribute(attributes, 'val')
  if (name === 'pStyle') paragraph.style = value
  else if (name === 'outlineLvl' && Number(value) < 9) paragraph.outline = Number(value) + 1
  else if (name === 'ilvl') paragraph.depth = Number(value) || 0
  else if (name === 'numId' && value !== '0') paragraph.list = value
  else if (name === 'footnoteReference' || name === 'endnoteReference')
    paragraph.text += `[^${attribute(attributes, 'id')}]`
  // A tab in the properties of a paragraph is a tab stop, not a character.
  else if (Object.hasOwn(CHARACTERS, name) && attribute(attributes, 'pos') === null)
    paragraph.text += CHARACTERS[name]!
}

function endLink(paragraph: Paragraph): void {
  if (!paragraph.link) return
  const { start, target } = paragraph.link
  const label = paragraph.text.slice(start)
  if (label.trim() !== '' && label !== target)
    paragraph.text = `${paragraph.text.slice(0, start)}[${label}](${target})`
  paragraph.link = null
}

/**
 * Tables of Word: only the rows of the outermost table become Markdown rows, inner ones become text
 * of their cell.
 */
class Rows {
  readonly #writer: MarkdownWriter
  readonly #rows: string[][] = []

  constructor(writer: MarkdownWriter) {
    this.#writer = writer
  }

  isOpen() {
    return this.#rows.length > 0
  }

  open() {
    this.#rows.push([])
  }

  openCell() {
    this.#rows.at(-1)?.push('')
  }

  append(text: string): void {
    const row = this.#rows.at(-1)!
    row[Math.max(row.length - 1, 0)] = `${row.at(-1) ?? ''} ${text}`
  }

  close() {
    const row = this.#rows.pop() ?? []
    if (this.#rows.length > 0) this.append(row.join(' '))
    else if (row.some((text) => text.trim() !== '')) this.#writer.row(row)
  }
}

/** Creates the listener that writes the body, or the notes, of a Word document as Markdown. */
export function createWordBodyListener(options: WordBodyOptions): XmlListener {
  const { writer, relations } = options
  const writeParagraph = createParagraphWriter(options)
  const rows = new Rows(writer)
  // Text boxes contain nested paragraphs.
  const paragraphs: Paragraph[] = []
  let skipDepth = 0
  let isText = false
  let note = ''

  function endParagraph(): void {
    const paragraph = paragraphs.pop()
    if (!paragraph || paragraph.text.trim() === '') return
    paragraph.text = `${note}${paragraph.text}`
    note = ''
    if (rows.isOpen()) rows.append(paragraph.text)
    else writeParagraph(paragraph)
  }

  function openLink(id: string | null): void {
    const [paragraph, relation] = [paragraphs.at(-1), relations.get(id ?? '')]
    if (paragraph && relation?.isOutside)
      paragraph.link = { target: relation.target, start: paragraph.text.length }
  }

  return {
    open(name, attributes) {
      if (skipDepth > 0 || SKIPPED.has(name)) skipDepth += 1
      else if (name === 'p') paragraphs.push(emptyParagraph())
      else if (name === 't') isText = true
      else if (name === 'tr') rows.open()
      else if (name === 'tc') rows.openCell()
      else if (name === 'hyperlink') openLink(attribute(attributes, 'id'))
      else if (name === 'footnote' || name === 'endnote')
        note = `[^${attribute(attributes, 'id')}]: `
      else if (paragraphs.length > 0) describe(paragraphs.at(-1)!, name, attributes)
    },
    close(name) {
      if (skipDepth > 0) skipDepth -= 1
      else if (name === 'p') endParagraph()
      else if (name === 't') isText = false
      else if (name === 'hyperlink' && paragraphs.length > 0) endLink(paragraphs.at(-1)!)
      else if (name === 'tr') rows.close()
      else if (name === 'tbl' && !rows.isOpen()) writer.endTable()
    },
    text(text) {
      const paragraph = paragraphs.at(-1)
      if (skipDepth === 0 && isText && paragraph) paragraph.text += text
    },
  }
}
