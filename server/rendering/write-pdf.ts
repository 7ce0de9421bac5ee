import PDFDocument from 'pdfkit'
import type { Fonts } from './fonts.ts'
import { writeLines } from './write-lines.ts'

/** A message as typeset. */
export interface PrintedMessage {
  readonly speaker: string
  /** Formatted time of the message; empty if unknown. */
  readonly time: string
  readonly text: string
}

/** A chat as typeset. */
export interface PrintedText {
  readonly title: string
  /** A line under the title: date and models. */
  readonly note: string
  readonly messages: readonly PrintedMessage[]
}

const MARGIN = 56
/** Distance from the lower edge. */
const FOOT = 36
/**
 * Longer words, such as URLs, are broken, because finding where they fit takes disproportionately
 * long.
 */
const LONGEST_WORD = 60
const WORD = new RegExp(`\\S{${LONGEST_WORD}}(?=\\S)`, 'gu')
/** Characters without a glyph in any font, except line ends. */
const SHAPELESS = /[\p{Cc}\p{Cf}\p{Cs}]/gu

const toShown = (line: string): string =>
  line.replaceAll('\t', '    ').replace(SHAPELESS, '').replace(WORD, '$& ')

/** Typesets a chat as a PDF with numbered A4 pages. */
export function writePdf({ title, note, messages }: PrintedText, fonts: Fonts): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    font: fonts.text,
    info: { Title: toShown(title) },
    lang: '',
    bufferPages: true,
  })
  const pieces: Buffer[] = []
  const finished = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (piece: Buffer) => pieces.push(piece))
    document.once('end', () => resolve(Buffer.concat(pieces)))
    document.once('error', reject)
  })
  document.font(fonts.bold).fontSize(18).text(toShown(title))
  if (note !== '')
    document.moveDown(0.2).font(fonts.text).fontSize(9).fillColor('#5b616b').text(toShown(note))
  document.moveDown()
  for (const message of messages) writeMessage(document, message, fonts)
  writeFeet(document, fonts)
  document.end()
  return finished
}

function writeMessage(
  document: PDFKit.PDFDocument,
  { speaker, time, text }: PrintedMessage,
  fonts: Fonts,
): void {
  document
    .font(fonts.bold)
    .fontSize(10)
    .fillColor('#333333')
    .text(toShown(speaker), { continued: time !== '' })
  if (time !== '') document.font(fonts.text).fillColor('#777777').text(`  ${time}`)
  document.moveDown(0.3)
  writeLines({ document, fonts, toShown }, text)
  document.moveDown()
}

/** Writes the footers that identify loose sheets: the page number and the number of pages. */
function writeFeet(document: PDFKit.PDFDocument, fonts: Fonts): void {
  const { start, count } = document.bufferedPageRange()
  for (let index = start; index < start + count; index += 1) {
    document.switchToPage(index)
    const { page } = document
    // Text below the margin would begin another page.
    page.margins.bottom = 0
    document
      .font(fonts.text)
      .fontSize(8)
      .fillColor('#5b616b')
      .text(`${index + 1} / ${count}`, MARGIN, page.height - FOOT, {
        width: page.width - 2 * MARGIN,
        align: 'center',
        lineBreak: false,
      })
  }
}
