import { openArchive, type Archive } from '../archive/open-archive.ts'
import {
  attribute,
  parseXml,
  readElements,
  type Attributes,
  type XmlListener,
} from '../archive/parse-xml.ts'
import { readOfficeTitle, readRelations } from '../archive/relations.ts'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'

const NOTES = 'Notes: '
/**
 * Number, date and footer repeat on every slide; the image of the slide on its notes has no text.
 */
const LEFT_OUT = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])
const TITLES = new Set(['title', 'ctrTitle'])

interface Paragraph {
  readonly text: string
  readonly level: number
  readonly isBulleted: boolean
}

/** Creates the listener for shapes of a slide, or of its notes, in stacking order. */
function createSlideListener(writer: MarkdownWriter, prefix: string): XmlListener {
  let kind = ''
  let paragraphs: Paragraph[] = []
  let text = ''
  let level = 0
  let hasBullet = false
  let isText = false
  let cells: string[] | null = null

  function endShape(): void {
    const filled = paragraphs.filter((paragraph) => paragraph.text.trim() !== '')
    paragraphs = []
    if (LEFT_OUT.has(kind) || filled.length === 0) return
    if (prefix !== '')
      return writer.paragraph(prefix + filled.map((paragraph) => paragraph.text).join('\n'))
    if (TITLES.has(kind))
      return writer.heading(2, filled.map((paragraph) => paragraph.text).join(' '))
    const isList = kind === 'body' || kind === 'obj' || kind === '' ? filled.length > 1 : false
    for (const paragraph of filled) {
      if (isList || paragraph.isBulleted) writer.listItem(paragraph.level, '-', paragraph.text)
      else writer.paragraph(paragraph.text)
    }
  }

  return {
    open(name, attributes: Attributes) {
      if (name === 'sp') kind = ''
      else if (name === 'ph') kind = attribute(attributes, 'type') ?? 'body'
      else if (name === 'p') [text, level, hasBullet] = ['', 0, false]
      else if (name === 'pPr') level = Number(attribute(attributes, 'lvl')) || 0
      else if (name === 'buChar' || name === 'buAutoNum') hasBullet = true
      else if (name === 'br') text += '\n'
      else if (name === 'tr') cells = []
      else if (name === 'tc') cells?.push('')
      else if (name === 't') isText = true
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'p' && cells) cells[cells.length - 1] = `${cells.at(-1) ?? ''} ${text}`
      else if (name === 'p') paragraphs.push({ text, level, isBulleted: hasBullet })
      else if (name === 'sp') endShape()
      else if (name === 'tr') {
        writer.row(cells ?? [])
        cells = null
      } else if (name === 'tbl') writer.endTable()
    },
    text: (piece) => void (isText && (text += piece)),
  }
}

async function slidesOf(archive: Archive): Promise<string[]> {
  const text = await archive.read('ppt/presentation.xml')
  if (text === null) throw new Refusal('The file is damaged: it holds no presentation.')
  const relations = await readRelations(archive, 'ppt/presentation.xml')
  const ids = (await readElements(text, 'sldId')).map(
    (attributes) => attributes['r:id'] ?? attribute(attributes, 'id') ?? '',
  )
  const slides = ids.flatMap((id) => {
    const relation = relations.get(id)
    return relation && !relation.isOutside ? [relation.target] : []
  })
  return [...new Set(slides)]
}

export const readPptx: Reader = async (file, { sink, progress }) => {
  await using archive = await openArchive(file.path)
  const slides = await slidesOf(archive)
  const writer = new MarkdownWriter(sink)
  for (const [index, slide] of slides.entries()) {
    writer.page(`Slide ${index + 1}`)
    await parseXml(archive.stream(slide), createSlideListener(writer, ''), () => sink.flush())
    for (const { type, target, isOutside } of (await readRelations(archive, slide)).values())
      if (type === 'notesSlide' && !isOutside)
        await parseXml(archive.stream(target), createSlideListener(writer, NOTES))
    await sink.flush()
    progress(index + 1, slides.length)
  }
  return { format: 'markdown', title: await readOfficeTitle(archive) }
}
