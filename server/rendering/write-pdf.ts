import PDFDocument from 'pdfkit'

/** A message as it is set. */
export interface PrintedMessage {
  readonly speaker: string
  /** When it was written, as it is shown; empty when nobody knows. */
  readonly time: string
  readonly text: string
}

/** A chat as it is set. */
export interface PrintedText {
  readonly title: string
  readonly messages: readonly PrintedMessage[]
}

/** Files of the fonts, for text, what stands out, and code. */
export interface Fonts {
  readonly text: string
  readonly bold: string
  readonly code: string
}

const MARGIN = 56
const FENCE = /^\s{0,3}(?:```|~~~)/
/** Longer words, such as addresses, are broken, as finding where they fit takes ever longer. */
const LONGEST_WORD = 60
const WORD = new RegExp(`\\S{${LONGEST_WORD}}(?=\\S)`, 'gu')
/** Signs without a shape, except the end of a line; no font has any for them. */
const SHAPELESS = /[\p{Cc}\p{Cf}\p{Cs}]/gu

const toShown = (line: string): string =>
  line.replaceAll('\t', '    ').replace(SHAPELESS, '').replace(WORD, '$& ')

/**
 * Sets a chat as a PDF with pages of A4; fenced code is set as such, other Markdown as it was
 * written.
 */
export function writePdf({ title, messages }: PrintedText, fonts: Fonts): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    font: fonts.text,
    info: { Title: toShown(title) },
    lang: '',
  })
  const pieces: Buffer[] = []
  const finished = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (piece: Buffer) => pieces.push(piece))
    document.once('end', () => resolve(Buffer.concat(pieces)))
    document.once('error', reject)
  })
  document.font(fonts.bold).fontSize(18).text(toShown(title)).moveDown()
  for (const message of messages) writeMessage(document, message, fonts)
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
  document.moveDown(0.3).fillColor('black')
  let isCode = false
  for (const line of text.split(/\r\n?|\n/)) {
    if (FENCE.test(line)) {
      isCode = !isCode
      continue
    }
    const shown = toShown(line)
    document.font(isCode ? fonts.code : fonts.text).fontSize(isCode ? 8.5 : 10)
    if (shown.trim() === '') document.moveDown(0.6)
    else document.text(shown, { lineGap: 2 })
  }
  document.moveDown()
}
