import { openArchive, type Archive } from '../archive/open-archive.ts'
import { attribute, parseXml, readElements, type XmlListener } from '../archive/parse-xml.ts'
import { readOfficeTitle, readRelations } from '../archive/relations.ts'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { readCellFormats, type CellFormats } from './cell-values.ts'
import { columnOf, SheetWriter, type SheetCell } from './sheet-writer.ts'

/** Maximum number of characters of shared cell texts, all of which must be in memory at once. */
const MOST_SHARED_TEXT = 60_000_000

async function readSharedTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = []
  let [text, length] = ['', 0]
  let isText = false
  let isReading = false
  await parseXml(archive.stream('xl/sharedStrings.xml'), {
    open(name) {
      if (name === 'si') text = ''
      // Phonetic readings of Japanese are separate from the text and not part of it.
      if (name === 'rPh') isReading = true
      isText = name === 't' && !isReading
    },
    close(name) {
      if (name === 'rPh') isReading = false
      if (name === 't') isText = false
      if (name !== 'si') return
      texts.push(text)
      length += text.length
      if (length > MOST_SHARED_TEXT)
        throw new Refusal('The workbook holds too much text. Split it into smaller files.')
    },
    text: (piece) => void (isText && (text += piece)),
  })
  return texts
}

interface SheetOptions {
  readonly sheet: SheetWriter
  readonly texts: readonly string[]
  readonly formats: CellFormats
}

function createSheetListener({ sheet, texts, formats }: SheetOptions): XmlListener {
  let cells: SheetCell[] = []
  let rowNumber = 0
  let column = -1
  let type = ''
  let style = 0
  let value = ''
  let isValue = false

  function valueText(): string {
    if (type === 's') return texts[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    return type === '' || type === 'n' ? formats.format(value, style) : value
  }

  return {
    open(name, attributes) {
      if (name === 'row') {
        rowNumber = Number(attribute(attributes, 'r')) || rowNumber + 1
        column = -1
        cells = []
      } else if (name === 'c') {
        const reference = attribute(attributes, 'r')
        column = reference === null ? column + 1 : columnOf(reference)
        type = attribute(attributes, 't') ?? ''
        style = Number(attribute(attributes, 's') ?? 0)
        value = ''
      } else if (name === 'v' || name === 't') isValue = true
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'c') {
        const text = value === '' ? '' : valueText()
        if (text.trim() !== '') cells.push({ column, text })
      } else if (name === 'row') sheet.row(rowNumber, cells)
    },
    text: (piece) => void (isValue && (value += piece)),
  }
}

export const readXlsx: Reader = async (file, { sink, progress }) => {
  await using archive = await openArchive(file.path)
  const book = await archive.read('xl/workbook.xml')
  if (book === null) throw new Refusal('The file is damaged: it holds no workbook.')
  const relations = await readRelations(archive, 'xl/workbook.xml')
  const [properties] = await readElements(book, 'workbookPr')
  const isFrom1904 = ['1', 'true'].includes(attribute(properties ?? {}, 'date1904') ?? '')
  const texts = await readSharedTexts(archive)
  const formats = await readCellFormats(archive, isFrom1904)
  const writer = new MarkdownWriter(sink)
  const sheets = await readElements(book, 'sheet')
  for (const [index, attributes] of sheets.entries()) {
    const relation = relations.get(attribute(attributes, 'id') ?? '')
    if (!relation || relation.isOutside) continue
    const name = attribute(attributes, 'name') ?? `Sheet ${index + 1}`
    writer.page(name)
    writer.heading(2, name)
    const sheet = new SheetWriter(writer)
    await parseXml(
      archive.stream(relation.target),
      createSheetListener({ sheet, texts, formats }),
      () => sink.flush(),
    )
    sheet.end()
    await sink.flush()
    progress(index + 1, sheets.length)
  }
  return { format: 'table', title: await readOfficeTitle(archive) }
}
