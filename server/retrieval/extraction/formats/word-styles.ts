import type { Archive } from '../archive/open-archive.ts'
import { attribute, parseXml, type Attributes } from '../archive/parse-xml.ts'

/** Paragraph formats from the styles and lists of a Word document. */
export interface WordStyles {
  /** 1 to 9 for headings, null for other paragraphs. */
  headingLevel(style: string | null): number | null
  /** Returns true if the list is numbered rather than bulleted. */
  isNumbered(list: string, depth: number): boolean
}

interface Style {
  name: string
  basedOn: string | null
  level: number | null
}

const NAMED_HEADING = /^heading (\d)$/
const DEEPEST_INHERITANCE = 20
const nothing = (): void => undefined

async function readStyles(archive: Archive): Promise<Map<string, Style>> {
  const styles = new Map<string, Style>()
  let current: Style | null = null
  const open = (name: string, attributes: Attributes): void => {
    if (name === 'style') {
      current = { name: '', basedOn: null, level: null }
      styles.set(attribute(attributes, 'styleId') ?? '', current)
      return
    }
    if (!current) return
    const value = attribute(attributes, 'val') ?? ''
    if (name === 'name') current.name = value.toLowerCase()
    if (name === 'basedOn') current.basedOn = value
    if (name === 'outlineLvl' && Number(value) < 9) current.level = Number(value) + 1
  }
  await parseXml(archive.stream('word/styles.xml'), { open, close: nothing, text: nothing })
  return styles
}

/**
 * Reads the number formats by list and depth: lists refer to definitions, which contain the format
 * of each depth.
 */
async function readNumbering(
  archive: Archive,
): Promise<(list: string, depth: number) => string | undefined> {
  const formats = new Map<string, string>()
  const definitions = new Map<string, string>()
  let [definition, list, depth] = ['', '', '']
  const open = (name: string, attributes: Attributes): void => {
    const value = attribute(attributes, 'val') ?? ''
    if (name === 'abstractNum') definition = attribute(attributes, 'abstractNumId') ?? ''
    if (name === 'lvl') depth = attribute(attributes, 'ilvl') ?? ''
    if (name === 'numFmt') formats.set(`${definition}/${depth}`, value)
    if (name === 'num') list = attribute(attributes, 'numId') ?? ''
    if (name === 'abstractNumId') definitions.set(list, value)
  }
  await parseXml(archive.stream('word/numbering.xml'), { open, close: nothing, text: nothing })
  return (id, level) => formats.get(`${definitions.get(id)}/${level}`)
}

export async function readWordStyles(archive: Archive): Promise<WordStyles> {
  const styles = await readStyles(archive)
  const formatOf = await readNumbering(archive)

  function headingLevel(id: string | null): number | null {
    let style = id === null ? undefined : styles.get(id)
    for (let step = 0; style && step < DEEPEST_INHERITANCE; step += 1) {
      if (style.name === 'title') return 1
      const named = NAMED_HEADING.exec(style.name)
      if (named) return Number(named[1])
      if (style.level !== null) return style.level
      style = style.basedOn === null ? undefined : styles.get(style.basedOn)
    }
    return null
  }

  return {
    headingLevel,
    isNumbered: (list, depth) => !['bullet', 'none', undefined].includes(formatOf(list, depth)),
  }
}
