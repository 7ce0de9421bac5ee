import type { Fonts } from './fonts.ts'

/** Parameters for typesetting the lines of a text. */
export interface Setting {
  readonly document: PDFKit.PDFDocument
  readonly fonts: Fonts
  /** Returns a line without characters that no font has a glyph for. */
  readonly toShown: (line: string) => string
}

const FENCE = /^\s{0,3}(?:```|~~~)/
const HEADING = /^(#{1,6})\s+(\S.*)$/
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9}[.)]))\s+(\S.*)$/
const QUOTE = /^\s{0,3}>\s?(.*)$/
const ROW = /^\s*\|.*\|\s*$/
const ROW_OF_DASHES = /^[\s|:-]+$/
/** A link is shown as its text followed by its URL. */
const LINK = /\[([^[\]]{1,500})\]\((https?:[^()\s]{1,500})\)/g
const STRONG = /\*\*([^*]+)\*\*/
const HEADING_SIZES = [15, 13, 12, 11, 10.5, 10.5] as const

const INK = '#1b1c1f'
const MUTED = '#5b616b'
const CODE_PAPER = '#f4f4f2'
const TEXT_SIZE = 10
const CODE_SIZE = 8.5
const INDENT = 14

/** Writes text with bold parts; markers of inline code are left out. */
function writeText(
  { document, fonts, toShown }: Setting,
  line: string,
  { indent = 0, color = INK }: { indent?: number; color?: string } = {},
): void {
  const parts = toShown(line.replace(LINK, '$1 ($2)').replaceAll('`', '')).split(STRONG)
  const left = document.page.margins.left + indent
  const width = document.page.width - left - document.page.margins.right
  document.fontSize(TEXT_SIZE).fillColor(color)
  document.x = left
  const shown = parts.map((text, index) => ({ text, isStrong: index % 2 === 1 }))
  const written = shown.filter(({ text }) => text !== '')
  for (const [index, { text, isStrong }] of written.entries())
    document
      .font(isStrong ? fonts.bold : fonts.text)
      .text(text, { lineGap: 2, width, continued: index < written.length - 1 })
  document.x = document.page.margins.left
}

/** Writes a line of code on a colored background; a line that fills more than a page has none. */
function writeCode({ document, fonts, toShown }: Setting, line: string): void {
  const { left, right, top, bottom } = document.page.margins
  const { width, height } = document.page
  const shown = toShown(line) || ' '
  const options = { width: width - left - right - 12, lineGap: 1 }
  document.font(fonts.code).fontSize(CODE_SIZE)
  const room = document.heightOfString(shown, options)
  if (document.y + room > height - bottom && room < height - top - bottom) document.addPage()
  const { y } = document
  if (y + room <= height - bottom)
    document.rect(left, y, width - left - right, room).fill(CODE_PAPER)
  document.fillColor(INK).text(shown, left + 6, y, options)
  document.x = left
}

function writeHeading({ document, fonts, toShown }: Setting, level: number, text: string): void {
  document
    .moveDown(0.3)
    .font(fonts.bold)
    .fontSize(HEADING_SIZES[level - 1] ?? TEXT_SIZE)
    .fillColor(INK)
    .text(toShown(text.replaceAll('**', '').replaceAll('`', '')))
    .moveDown(0.2)
}

function writeLine(setting: Setting, line: string): void {
  const heading = HEADING.exec(line)
  if (heading) return writeHeading(setting, heading[1]!.length, heading[2]!)
  const item = ITEM.exec(line)
  if (item) {
    const depth = Math.min(4, Math.floor(item[1]!.length / 2))
    return writeText(setting, `${item[2] ?? '•'} ${item[3]}`, { indent: INDENT * (depth + 0.5) })
  }
  const quote = QUOTE.exec(line)
  if (quote) return writeText(setting, quote[1] || ' ', { indent: INDENT, color: MUTED })
  if (ROW.test(line)) return ROW_OF_DASHES.test(line) ? undefined : writeCode(setting, line)
  writeText(setting, line)
}

/**
 * Typesets Markdown line by line: headings, lists, quotations, tables and code are formatted, other
 * markup stays as written.
 */
export function writeLines(setting: Setting, text: string): void {
  const { document } = setting
  let isCode = false
  for (const line of text.split(/\r\n?|\n/)) {
    if (FENCE.test(line)) {
      isCode = !isCode
      document.moveDown(0.3)
    } else if (isCode) writeCode(setting, line)
    else if (setting.toShown(line).trim() === '') document.moveDown(0.6)
    else writeLine(setting, line)
  }
}
