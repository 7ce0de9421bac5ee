import { readFile } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { createMarkdownWriter, type MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { readTokens, type RtfToken } from './rtf-tokens.ts'

const LARGEST_RTF = 64 * 1024 * 1024
const DEEPEST = 5_000

/** Groups whose text is not part of what people read. */
const SKIPPED = new Set(
  'fonttbl colortbl listtable listoverridetable rsidtbl generator pict object objdata themedata colorschememapping datastore latentstyles xmlnstbl fldinst header headerl headerr headerf footer footerl footerr footerf pntext listtext info filetbl revtbl bkmkstart bkmkend template'.split(
    ' ',
  ),
)
const SYMBOLS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  '~': '\u00a0',
  _: '-',
  '-': '\u00ad',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '\\': '\\',
  '{': '{',
  '}': '}',
  emspace: ' ',
  enspace: ' ',
}
/** Character sets of fonts by their number in the format. */
const CHARACTER_SETS: Readonly<Record<number, string>> = {
  128: 'shift_jis',
  129: 'cp949',
  134: 'gbk',
  136: 'big5',
  161: 'cp1253',
  162: 'cp1254',
  163: 'cp1258',
  177: 'cp1255',
  178: 'cp1256',
  186: 'cp1257',
  204: 'cp1251',
  222: 'cp874',
  238: 'cp1250',
}

interface GroupState {
  readonly isSkipped: boolean
  readonly isFontTable: boolean
  readonly isTitle: boolean
  readonly isStyleTable: boolean
  encoding: string
  /** How many characters stand in for one given by its number. */
  replacements: number
}

/** Text of the groups: bytes are decoded in runs, because a character may have several. */
function createTextCollector() {
  let text = ''
  let bytes: number[] = []
  let encoding = 'cp1252'
  const decodeRun = (): void => {
    if (bytes.length > 0) text += iconv.decode(Buffer.from(bytes), encoding)
    bytes = []
  }
  return {
    addByte(byte: number, inEncoding: string) {
      if (inEncoding !== encoding) decodeRun()
      encoding = inEncoding
      bytes.push(byte)
    },
    add(piece: string) {
      decodeRun()
      text += piece
    },
    take() {
      decodeRun()
      const taken = text
      text = ''
      return taken
    },
  }
}

/** Paragraphs and rows of tables as the words of the format end them. */
function createBlocks(
  writer: MarkdownWriter,
  collector: ReturnType<typeof createTextCollector>,
  headings: ReadonlyMap<number, number>,
) {
  let cells: string[] = []
  let isInTable = false
  let level: number | null = null
  return {
    handle(word: string, value: number | null): boolean {
      if (word === 'pard') [isInTable, level] = [false, null]
      else if (word === 'intbl') isInTable = true
      else if (word === 's') level = headings.get(value ?? 0) ?? null
      else if (word === 'outlinelevel' && value !== null && value < 9) level = value + 1
      else if (word === 'cell' || word === 'nestcell') cells.push(collector.take())
      else if (word === 'row' || word === 'nestrow') {
        if (cells.length > 0) writer.row(cells)
        cells = []
      } else if (word === 'par' || word === 'sect' || word === 'page') {
        if (isInTable) collector.add(' ')
        else this.endParagraph()
      } else return false
      return true
    },
    endParagraph() {
      writer.endTable()
      const text = collector.take()
      if (level === null) writer.paragraph(text)
      else writer.heading(level, text)
    },
  }
}

function createRtfReader(writer: MarkdownWriter) {
  const collector = createTextCollector()
  /** Levels of the styles that are headings. */
  const headings = new Map<number, number>()
  const blocks = createBlocks(writer, collector, headings)
  let style = 0
  const fonts = new Map<number, string>()
  const groups: GroupState[] = []
  let state: GroupState = {
    isSkipped: false,
    isFontTable: false,
    isTitle: false,
    isStyleTable: false,
    encoding: 'cp1252',
    replacements: 1,
  }
  let defaultEncoding = 'cp1252'
  let font = 0
  let title = ''
  /** Characters still to be left out after one given by its number. */
  let toSkip = 0

  function enter(word: string): boolean {
    if (word === 'fonttbl') state = { ...state, isSkipped: true, isFontTable: true }
    else if (word === 'title') state = { ...state, isSkipped: false, isTitle: true }
    else if (word === 'stylesheet') state = { ...state, isSkipped: true, isStyleTable: true }
    else if (word === '*' || SKIPPED.has(word)) state = { ...state, isSkipped: true }
    else return false
    return true
  }

  function setEncoding(word: string, value: number | null): boolean {
    if (word === 'ansicpg' && value !== null && iconv.encodingExists(`cp${value}`))
      defaultEncoding = state.encoding = `cp${value}`
    else if (word === 'fcharset' && state.isFontTable)
      fonts.set(font, CHARACTER_SETS[value ?? 0] ?? defaultEncoding)
    else if (word === 'f' && value !== null) {
      font = value
      state.encoding = fonts.get(value) ?? defaultEncoding
    } else if (word === 's' && state.isStyleTable) style = value ?? 0
    else if (word === 'uc') state.replacements = value ?? 1
    else return false
    return true
  }

  function nameStyle(name: string): void {
    const level =
      /^heading (\d)/i.exec(name.trim())?.[1] ?? (/^title;?$/i.test(name.trim()) ? '1' : null)
    if (level !== null) headings.set(style, Number(level))
  }

  function addText(text: string): void {
    const kept = text.slice(toSkip)
    toSkip = Math.max(0, toSkip - text.length)
    if (state.isTitle) title += kept
    else if (state.isStyleTable) nameStyle(kept)
    else if (!state.isSkipped) collector.add(kept)
  }

  function handleWord(word: string, value: number | null): void {
    if (word === 'u' && value !== null) {
      toSkip = 0
      addText(String.fromCharCode(value & 0xff_ff))
      toSkip = state.replacements
      return
    }
    if (enter(word) || setEncoding(word, value) || state.isSkipped) return
    if (!blocks.handle(word, value) && Object.hasOwn(SYMBOLS, word)) addText(SYMBOLS[word]!)
  }

  return {
    handle(token: RtfToken): void {
      if (groups.length > DEEPEST)
        throw new Refusal('The file is damaged: its parts are nested too deeply.')
      if (token.kind === 'open') groups.push({ ...state })
      else if (token.kind === 'close') {
        state = groups.pop() ?? state
        toSkip = 0
      } else if (token.kind === 'word') handleWord(token.word, token.value)
      else if (token.kind === 'text') addText(token.text)
      else if (toSkip > 0) toSkip -= 1
      else if (state.isTitle) title += iconv.decode(Buffer.from([token.byte]), state.encoding)
      else if (!state.isSkipped) collector.addByte(token.byte, state.encoding)
    },
    end() {
      blocks.endParagraph()
      return title.trim() || null
    },
  }
}

export const readRtf: Reader = async (file, { sink, progress }) => {
  if (file.size > LARGEST_RTF)
    throw new Refusal(
      'RTF files can be up to 64 MB. Remove pictures from this one, or save it as .docx.',
    )
  const reader = createRtfReader(createMarkdownWriter(sink))
  let count = 0
  for (const token of readTokens(await readFile(file.path, 'latin1'))) {
    reader.handle(token)
    count += 1
    if (count % 50_000 === 0) {
      await sink.flush()
      progress(count, null)
    }
  }
  return { format: 'markdown', title: reader.end() }
}
