import { ownValue } from '../../../lib/own-value.ts'
import { attribute, type Attributes, type XmlListener } from '../archive/parse-xml.ts'
import type { MarkdownWriter } from '../markdown/markdown-writer.ts'
import { Refusal } from '../refusal.ts'
import { createSheetWriter, type SheetCell, type SheetWriter } from './sheet-writer.ts'

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
/**
 * A filled cell or row is repeated in the file by a number; beyond this it is formatting of a whole
 * sheet.
 */
const MOST_REPEATS = 1_000
/**
 * Cells of a document that stand in it as a number of repeats only; a few bytes would fill the
 * memory otherwise.
 */
const MOST_COPIES = 5_000_000
const TOO_MANY_COPIES =
  'The document repeats its cells millions of times. Delete the rows and columns that only repeat others, and add it again.'
const repeats = (attributes: Attributes, name: string): number =>
  Math.max(1, Number(attribute(attributes, name)) || 1)

/** Counts the cells that are written again, in all tables of a document. */
function createCopyCount() {
  let copies = 0
  return (cells: number): void => {
    copies += cells
    if (copies > MOST_COPIES) throw new Refusal(TOO_MANY_COPIES)
  }
}

/** Rows of a sheet or of a table in a text, with what is repeated written out. */
function createRowCollector(sheet: SheetWriter, countCopies: (cells: number) => void) {
  let cells: SheetCell[] = []
  let [column, rowNumber, rowRepeats, cellRepeats] = [0, 0, 1, 1]
  let content = ''
  return {
    openRow(attributes: Attributes) {
      cells = []
      column = 0
      rowRepeats = repeats(attributes, 'number-rows-repeated')
    },
    closeRow() {
      const times = Math.min(rowRepeats, MOST_REPEATS)
      countCopies((times - 1) * cells.length)
      for (let copy = 1; copy <= times; copy += 1) sheet.row(rowNumber + copy, cells)
      rowNumber += rowRepeats
    },
    openCell(attributes: Attributes) {
      cellRepeats = repeats(attributes, 'number-columns-repeated')
      content = ''
    },
    append(text: string) {
      content += content === '' ? text : `\n${text}`
    },
    closeCell() {
      const text = content.trim()
      for (let copy = 0; text !== '' && copy < Math.min(cellRepeats, MOST_REPEATS); copy += 1)
        cells.push({ column: column + copy, text })
      column += cellRepeats
    },
    end: () => sheet.end(),
  }
}

interface Frame {
  readonly name: string
  readonly level: number
  text: string
}

/** Paragraphs, and what stands between their words. Notes hold paragraphs inside of paragraphs. */
function createFrames(writer: MarkdownWriter) {
  const frames: Frame[] = []
  const links: { readonly href: string; readonly start: number }[] = []
  let noteCount = 0
  const append = (text: string): void => void (frames.length > 0 && (frames.at(-1)!.text += text))
  return {
    append,
    open: (name: string, attributes: Attributes) =>
      void frames.push({
        name,
        level: Number(attribute(attributes, 'outline-level')) || 1,
        text: '',
      }),
    close: () => frames.pop(),
    isInside: () => frames.length > 0,
    openLink: (href: string) => void links.push({ href, start: frames.at(-1)?.text.length ?? 0 }),
    closeLink() {
      const [link, frame] = [links.pop(), frames.at(-1)]
      const label = link && frame ? frame.text.slice(link.start) : ''
      if (
        link &&
        frame &&
        /^(https?|mailto):/.test(link.href) &&
        label.trim() !== '' &&
        label !== link.href
      )
        frame.text = `${frame.text.slice(0, link.start)}[${label}](${link.href})`
    },
    /** A note is written below its paragraph. */
    note(text: string) {
      noteCount += 1
      append(`[^${noteCount}]`)
      return () => writer.paragraph(`[^${noteCount}]: ${text}`)
    },
  }
}

const white = (name: string, attributes: Attributes): string | null => {
  if (name === 's') return ' '.repeat(Math.min(repeats(attributes, 'c'), 100))
  return name === 'tab' ? '\t' : name === 'line-break' ? '\n' : null
}

/** How deep the lists are, and whether the next paragraph is the first one of its item. */
function createListLevels() {
  let depth = 0
  let marker = ''
  return {
    open: () => void (depth += 1),
    close: () => void (depth -= 1),
    openItem: () => void (marker = '-'),
    isInside: () => depth > 0,
    write(writer: MarkdownWriter, text: string) {
      writer.listItem(marker === '' ? depth : depth - 1, marker, text)
      marker = ''
    },
  }
}

/** Where paragraphs go: into cells, notes of a slide, headings, lists or the text. */
function createPlaces(writer: MarkdownWriter) {
  const lists = createListLevels()
  const tables: ReturnType<typeof createRowCollector>[] = []
  const countCopies = createCopyCount()
  const state = { isSpreadsheet: false, slide: 0, isTitle: false, isNotes: false }

  function openTable(attributes: Attributes): void {
    if (state.isSpreadsheet) {
      const name = attribute(attributes, 'name') ?? ''
      writer.page(name)
      writer.heading(2, name)
    }
    tables.push(createRowCollector(createSheetWriter(writer), countCopies))
  }

  const opened: Record<string, (attributes: Attributes) => void> = {
    spreadsheet: () => void (state.isSpreadsheet = true),
    table: openTable,
    'table-row': (attributes) => tables.at(-1)?.openRow(attributes),
    'table-cell': (attributes) => tables.at(-1)?.openCell(attributes),
    'covered-table-cell': (attributes) => tables.at(-1)?.openCell(attributes),
    list: () => lists.open(),
    'list-item': () => lists.openItem(),
    page: () => writer.page(`Slide ${(state.slide += 1)}`),
    frame: (attributes) => void (state.isTitle = attribute(attributes, 'class') === 'title'),
    notes: () => void (state.isNotes = true),
  }
  const closed: Record<string, () => void> = {
    table: () => tables.pop()?.end(),
    'table-row': () => tables.at(-1)?.closeRow(),
    'table-cell': () => tables.at(-1)?.closeCell(),
    'covered-table-cell': () => tables.at(-1)?.closeCell(),
    list: () => lists.close(),
    frame: () => void (state.isTitle = false),
    notes: () => void (state.isNotes = false),
  }

  return {
    state,
    open: (name: string, attributes: Attributes) => ownValue(opened, name)?.(attributes),
    close: (name: string) => ownValue(closed, name)?.(),
    write({ name, level, text }: Frame): void {
      if (tables.length > 0) tables.at(-1)!.append(text)
      else if (state.isNotes) writer.paragraph(text.trim() === '' ? '' : `Notes: ${text}`)
      else if (state.isTitle) writer.heading(2, text)
      else if (name === 'h') writer.heading(level, text)
      else if (lists.isInside()) lists.write(writer, text)
      else writer.paragraph(text)
    },
  }
}

/** Listens to the content of an open document and writes it as Markdown. */
export function createOpenDocumentListener(writer: MarkdownWriter) {
  const frames = createFrames(writer)
  const places = createPlaces(writer)
  let skipDepth = 0
  let note: string[] | null = null
  let afterParagraph: (() => void)[] = []

  function endParagraph(): void {
    const frame = frames.close()
    if (!frame) return
    if (note) return void note.push(frame.text)
    places.write(frame)
    for (const write of afterParagraph) write()
    afterParagraph = []
  }

  function endNote(): void {
    afterParagraph.push(frames.note((note ?? []).join(' ')))
    note = null
  }

  const listener: XmlListener = {
    open(name, attributes) {
      if (skipDepth > 0 || SKIPPED.has(name)) {
        skipDepth += 1
        return
      }
      const blank = white(name, attributes)
      if (blank !== null) frames.append(blank)
      else if (name === 'p' || name === 'h') frames.open(name, attributes)
      else if (name === 'note') note = []
      else if (name === 'a') frames.openLink(attribute(attributes, 'href') ?? '')
      else places.open(name, attributes)
    },
    close(name) {
      if (skipDepth > 0) skipDepth -= 1
      else if (name === 'p' || name === 'h') endParagraph()
      else if (name === 'note') endNote()
      else if (name === 'a') frames.closeLink()
      else places.close(name)
    },
    text(text) {
      // Line ends between words are how the file is laid out.
      if (skipDepth === 0 && frames.isInside()) frames.append(text.replaceAll(/\s+/g, ' '))
    },
  }
  return { listener, isSpreadsheet: () => places.state.isSpreadsheet }
}
