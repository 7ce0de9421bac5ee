import { readFile } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { MarkdownWriter } from '../markdown/markdown-writer.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { readTokens, type RtfToken } from './rtf-tokens.ts'

const LARGEST_RTF = 64 * 1024 * 1024
const DEEPEST = 5_000

/** Groups whose text is not visible. */
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
  /** Number of replacement characters after one given by its number. */
  replacements: number
}

/**
 * Collects the text of groups: bytes are decoded in runs, because a character may consist of
 * several.
 */
class TextCollector {
  #text = ''
  #bytes: number[] = []
  #encoding = 'cp1252'

  addByte(byte: number, inEncoding: string) {
    if (inEncoding !== this.#encoding) this.#decodeRun()
    this.#encoding = inEncoding
    this.#bytes.push(byte)
  }

  add(piece: string) {
    this.#decodeRun()
    this.#text += piece
  }

  take() {
    this.#decodeRun()
    const taken = this.#text
    this.#text = ''
    return taken
  }

  #decodeRun(): void {
    if (this.#bytes.length > 0) this.#text += iconv.decode(Buffer.from(this.#bytes), this.#encoding)
    this.#bytes = []
  }
}

/** Paragraphs and table rows, ended by control words of the format. */
class Blocks {
  readonly #writer: MarkdownWriter
  readonly #collector: TextCollector
  readonly #headings: ReadonlyMap<number, number>
  #cells: string[] = []
  #isInTable = false
  #level: number | null = null

  constructor(
    writer: MarkdownWriter,
    collector: TextCollector,
    headings: ReadonlyMap<number, number>,
  ) {
    this.#writer = writer
    this.#collector = collector
    this.#headings = headings
  }

  handle(word: string, value: number | null): boolean {
    if (word === 'pard') [this.#isInTable, this.#level] = [false, null]
    else if (word === 'intbl') this.#isInTable = true
    else if (word === 's') this.#level = this.#headings.get(value ?? 0) ?? null
    else if (word === 'outlinelevel' && value !== null && value < 9) this.#level = value + 1
    else if (word === 'cell' || word === 'nestcell') this.#cells.push(this.#collector.take())
    else if (word === 'row' || word === 'nestrow') {
      if (this.#cells.length > 0) this.#writer.row(this.#cells)
      this.#cells = []
    } else if (word === 'par' || word === 'sect' || word === 'page') {
      if (this.#isInTable) this.#collector.add(' ')
      else this.endParagraph()
    } else return false
    return true
  }

  endParagraph() {
    this.#writer.endTable()
    const text = this.#collector.take()
    if (this.#level === null) this.#writer.paragraph(text)
    else this.#writer.heading(this.#level, text)
  }
}

class RtfReader {
  readonly #collector = new TextCollector()
  /** Levels of the styles that are headings. */
  readonly #headings = new Map<number, number>()
  readonly #blocks
  #style = 0
  readonly #fonts = new Map<number, string>()
  readonly #groups: GroupState[] = []
  #state: GroupState = {
    isSkipped: false,
    isFontTable: false,
    isTitle: false,
    isStyleTable: false,
    encoding: 'cp1252',
    replacements: 1,
  }
  #defaultEncoding = 'cp1252'
  #font = 0
  #title = ''
  /** Number of characters still to be skipped after one given by its number. */
  #toSkip = 0

  constructor(writer: MarkdownWriter) {
    this.#blocks = new Blocks(writer, this.#collector, this.#headings)
  }

  handle(token: RtfToken): void {
    if (this.#groups.length > DEEPEST)
      throw new Refusal('The file is damaged: its parts are nested too deeply.')
    if (token.kind === 'open') this.#groups.push({ ...this.#state })
    else if (token.kind === 'close') {
      this.#state = this.#groups.pop() ?? this.#state
      this.#toSkip = 0
    } else if (token.kind === 'word') this.#handleWord(token.word, token.value)
    else if (token.kind === 'text') this.#addText(token.text)
    else if (this.#toSkip > 0) this.#toSkip -= 1
    else if (this.#state.isTitle)
      this.#title += iconv.decode(Buffer.from([token.byte]), this.#state.encoding)
    else if (!this.#state.isSkipped) this.#collector.addByte(token.byte, this.#state.encoding)
  }

  end() {
    this.#blocks.endParagraph()
    return this.#title.trim() || null
  }

  #enter(word: string): boolean {
    if (word === 'fonttbl') this.#state = { ...this.#state, isSkipped: true, isFontTable: true }
    else if (word === 'title') this.#state = { ...this.#state, isSkipped: false, isTitle: true }
    else if (word === 'stylesheet')
      this.#state = { ...this.#state, isSkipped: true, isStyleTable: true }
    else if (word === '*' || SKIPPED.has(word)) this.#state = { ...this.#state, isSkipped: true }
    else return false
    return true
  }

  #setEncoding(word: string, value: number | null): boolean {
    if (word === 'ansicpg' && value !== null && iconv.encodingExists(`cp${value}`))
      this.#defaultEncoding = this.#state.encoding = `cp${value}`
    else if (word === 'fcharset' && this.#state.isFontTable)
      this.#fonts.set(this.#font, CHARACTER_SETS[value ?? 0] ?? this.#defaultEncoding)
    else if (word === 'f' && value !== null) {
      this.#font = value
      this.#state.encoding = this.#fonts.get(value) ?? this.#defaultEncoding
    } else if (word === 's' && this.#state.isStyleTable) this.#style = value ?? 0
    else if (word === 'uc') this.#state.replacements = value ?? 1
    else return false
    return true
  }

  #nameStyle(name: string): void {
    const level =
      /^heading (\d)/i.exec(name.trim())?.[1] ?? (/^title;?$/i.test(name.trim()) ? '1' : null)
    if (level !== null) this.#headings.set(this.#style, Number(level))
  }

  #addText(text: string): void {
    const kept = text.slice(this.#toSkip)
    this.#toSkip = Math.max(0, this.#toSkip - text.length)
    if (this.#state.isTitle) this.#title += kept
    else if (this.#state.isStyleTable) this.#nameStyle(kept)
    else if (!this.#state.isSkipped) this.#collector.add(kept)
  }

  #handleWord(word: string, value: number | null): void {
    if (word === 'u' && value !== null) {
      this.#toSkip = 0
      this.#addText(String.fromCharCode(value & 0xff_ff))
      this.#toSkip = this.#state.replacements
      return
    }
    if (this.#enter(word) || this.#setEncoding(word, value) || this.#state.isSkipped) return
    if (!this.#blocks.handle(word, value) && Object.hasOwn(SYMBOLS, word))
      this.#addText(SYMBOLS[word]!)
  }
}

export const readRtf: Reader = async (file, { sink, progress }) => {
  if (file.size > LARGEST_RTF)
    throw new Refusal(
      'RTF files can be up to 64 MB. Remove pictures from this one, or save it as .docx.',
    )
  const reader = new RtfReader(new MarkdownWriter(sink))
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
