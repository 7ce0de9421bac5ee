import { ownValue } from '../../../lib/json/own-value.ts'
import { attribute, type Attributes, type XmlListener } from '../archive/parse-xml.ts'
import type { MarkdownWriter } from '../markdown/markdown-writer.ts'
import { Refusal } from '../refusal.ts'
import { SheetWriter, type SheetCell } from './sheet-writer.ts'

const SKIPPED = new Set([
  'annotation',
  'tracked-changes',
  'scripts',
  'styles',
  'automatic-styles',
  'forms',
  'settings',
  'note-citation',
])
/** Maximum repeat count of a filled cell or row; higher counts are formatting of a whole sheet. */
const MOST_REPEATS = 1_000
/**
 * Maximum number of cells in a document that exist only as a repeat count; otherwise a few bytes
 * could fill the memory.
 */
const MOST_COPIES = 5_000_000
const TOO_MANY_COPIES =
  'The document repeats its cells millions of times. Delete the rows and columns that only repeat others, and add it again.'
const repeats = (attributes: Attributes, name: string): number =>
  Math.max(1, Number(attribute(attributes, name)) || 1)

/** Counts the repeated cells of all tables of a document. */
function createCopyCount() {
  let copies = 0
  return (cells: number): void => {
    copies += cells
    if (copies > MOST_COPIES) throw new Refusal(TOO_MANY_COPIES)
  }
}

/** Collects the rows of a sheet or of a table in a text, with repetitions expanded. */
class RowCollector {
  readonly #sheet: SheetWriter
  readonly #countCopies: (cells: number) => void
  #cells: SheetCell[] = []
  #column = 0
  #rowNumber = 0
  #rowRepeats = 1
  #cellRepeats = 1
  #content = ''

  constructor(sheet: SheetWriter, countCopies: (cells: number) => void) {
    this.#sheet = sheet
    this.#countCopies = countCopies
  }

  openRow(attributes: Attributes) {
    this.#cells = []
    this.#column = 0
    this.#rowRepeats = repeats(attributes, 'number-rows-repeated')
  }

  closeRow() {
    const times = Math.min(this.#rowRepeats, MOST_REPEATS)
    this.#countCopies((times - 1) * this.#cells.length)
    for (let copy = 1; copy <= times; copy += 1)
      this.#sheet.row(this.#rowNumber + copy, this.#cells)
    this.#rowNumber += this.#rowRepeats
  }

  openCell(attributes: Attributes) {
    this.#cellRepeats = repeats(attributes, 'number-columns-repeated')
    this.#content = ''
  }

  append(text: string) {
    this.#content += this.#content === '' ? text : `\n${text}`
  }

  closeCell() {
    const text = this.#content.trim()
    for (let copy = 0; text !== '' && copy < Math.min(this.#cellRepeats, MOST_REPEATS); copy += 1)
      this.#cells.push({ column: this.#column + copy, text })
    this.#column += this.#cellRepeats
  }

  end() {
    return this.#sheet.end()
  }
}

interface Frame {
  readonly name: string
  readonly level: number
  text: string
}

/** Stack of paragraphs and inline content. Notes contain nested paragraphs. */
class Frames {
  readonly #writer: MarkdownWriter
  readonly #frames: Frame[] = []
  readonly #links: { readonly href: string; readonly start: number }[] = []
  #noteCount = 0

  constructor(writer: MarkdownWriter) {
    this.#writer = writer
  }

  append(text: string): void {
    const frame = this.#frames.at(-1)
    if (frame) frame.text += text
  }

  open(name: string, attributes: Attributes) {
    this.#frames.push({
      name,
      level: Number(attribute(attributes, 'outline-level')) || 1,
      text: '',
    })
  }

  close() {
    return this.#frames.pop()
  }

  isInside() {
    return this.#frames.length > 0
  }

  openLink(href: string) {
    this.#links.push({ href, start: this.#frames.at(-1)?.text.length ?? 0 })
  }

  closeLink() {
    const [link, frame] = [this.#links.pop(), this.#frames.at(-1)]
    const label = link && frame ? frame.text.slice(link.start) : ''
    if (
      link &&
      frame &&
      /^(https?|mailto):/.test(link.href) &&
      label.trim() !== '' &&
      label !== link.href
    )
      frame.text = `${frame.text.slice(0, link.start)}[${label}](${link.href})`
  }

  /** Writes a note below its paragraph. */
  note(text: string) {
    this.#noteCount += 1
    this.append(`[^${this.#noteCount}]`)
    return () => this.#writer.paragraph(`[^${this.#noteCount}]: ${text}`)
  }
}

const white = (name: string, attributes: Attributes): string | null => {
  if (name === 's') return ' '.repeat(Math.min(repeats(attributes, 'c'), 100))
  return name === 'tab' ? '\t' : name === 'line-break' ? '\n' : null
}

/** Current list depth, and the state of the first paragraph of an item. */
class ListLevels {
  #depth = 0
  #marker = ''

  open() {
    this.#depth += 1
  }

  close() {
    this.#depth -= 1
  }

  openItem() {
    this.#marker = '-'
  }

  isInside() {
    return this.#depth > 0
  }

  write(writer: MarkdownWriter, text: string) {
    writer.listItem(this.#marker === '' ? this.#depth : this.#depth - 1, this.#marker, text)
    this.#marker = ''
  }
}

/** Targets of paragraphs: cells, notes of a slide, headings, lists or the text. */
class Places {
  readonly #writer: MarkdownWriter
  readonly #lists = new ListLevels()
  readonly #tables: RowCollector[] = []
  readonly #countCopies = createCopyCount()
  readonly state = { isSpreadsheet: false, slide: 0, isTitle: false, isNotes: false }
  readonly #opened: Record<string, (attributes: Attributes) => void>
  readonly #closed: Record<string, () => void> = {
    table: () => this.#tables.pop()?.end(),
    'table-row': () => this.#tables.at(-1)?.closeRow(),
    'table-cell': () => this.#tables.at(-1)?.closeCell(),
    'covered-table-cell': () => this.#tables.at(-1)?.closeCell(),
    list: () => this.#lists.close(),
    frame: () => void (this.state.isTitle = false),
    notes: () => void (this.state.isNotes = false),
  }

  readonly #openTable = (attributes: Attributes): void => {
    if (this.state.isSpreadsheet) {
      const name = attribute(attributes, 'name') ?? ''
      this.#writer.page(name)
      this.#writer.heading(2, name)
    }
    this.#tables.push(new RowCollector(new SheetWriter(this.#writer), this.#countCopies))
  }

  constructor(writer: MarkdownWriter) {
    this.#writer = writer
    this.#opened = {
      spreadsheet: () => void (this.state.isSpreadsheet = true),
      table: this.#openTable,
      'table-row': (attributes) => this.#tables.at(-1)?.openRow(attributes),
      'table-cell': (attributes) => this.#tables.at(-1)?.openCell(attributes),
      'covered-table-cell': (attributes) => this.#tables.at(-1)?.openCell(attributes),
      list: () => this.#lists.open(),
      'list-item': () => this.#lists.openItem(),
      page: () => writer.page(`Slide ${(this.state.slide += 1)}`),
      frame: (attributes) => void (this.state.isTitle = attribute(attributes, 'class') === 'title'),
      notes: () => void (this.state.isNotes = true),
    }
  }

  open(name: string, attributes: Attributes) {
    return ownValue(this.#opened, name)?.(attributes)
  }

  close(name: string) {
    return ownValue(this.#closed, name)?.()
  }

  write({ name, level, text }: Frame): void {
    if (this.#tables.length > 0) this.#tables.at(-1)!.append(text)
    else if (this.state.isNotes) this.#writer.paragraph(text.trim() === '' ? '' : `Notes: ${text}`)
    else if (this.state.isTitle) this.#writer.heading(2, text)
    else if (name === 'h') this.#writer.heading(level, text)
    else if (this.#lists.isInside()) this.#lists.write(this.#writer, text)
    else this.#writer.paragraph(text)
  }
}

/** Writes the content of an OpenDocument file as Markdown. */
export class OpenDocumentListener implements XmlListener {
  readonly #frames: Frames
  readonly #places: Places
  #skipDepth = 0
  #note: string[] | null = null
  #notesBelow: (() => void)[] = []

  constructor(writer: MarkdownWriter) {
    this.#frames = new Frames(writer)
    this.#places = new Places(writer)
  }

  get isSpreadsheet(): boolean {
    return this.#places.state.isSpreadsheet
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipDepth > 0 || SKIPPED.has(name)) {
      this.#skipDepth += 1
      return
    }
    const blank = white(name, attributes)
    if (blank !== null) this.#frames.append(blank)
    else if (name === 'p' || name === 'h') this.#frames.open(name, attributes)
    else if (name === 'note') this.#note = []
    else if (name === 'a') this.#frames.openLink(attribute(attributes, 'href') ?? '')
    else this.#places.open(name, attributes)
  }

  close(name: string): void {
    if (this.#skipDepth > 0) this.#skipDepth -= 1
    else if (name === 'p' || name === 'h') this.#endParagraph()
    else if (name === 'note') this.#endNote()
    else if (name === 'a') this.#frames.closeLink()
    else this.#places.close(name)
  }

  text(text: string): void {
    // Line breaks between words are only file layout.
    if (this.#skipDepth === 0 && this.#frames.isInside())
      this.#frames.append(text.replaceAll(/\s+/g, ' '))
  }

  #endParagraph(): void {
    const frame = this.#frames.close()
    if (!frame) return
    if (this.#note) return void this.#note.push(frame.text)
    this.#places.write(frame)
    for (const write of this.#notesBelow) write()
    this.#notesBelow = []
  }

  #endNote(): void {
    this.#notesBelow.push(this.#frames.note((this.#note ?? []).join(' ')))
    this.#note = null
  }
}
