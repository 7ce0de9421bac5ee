import { readFile } from 'node:fs/promises'
import type { Reader, ReadingTarget } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { layOutPage, type PlacedText } from './pdf-layout.ts'

const LARGEST_PDF = 160 * 1024 * 1024
const MOST_PAGES = 20_000
/** Number of pages after which the library's memory is freed. */
const CLEAN_UP_INTERVAL = 20

type PdfDocument = Awaited<ReturnType<typeof openPdf>>

async function openPdf(path: string) {
  const { getDocumentProxy } = await import('unpdf')
  return await getDocumentProxy(new Uint8Array(await readFile(path)), {
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: 1,
    verbosity: 0,
    // Nothing is fetched: neither the rest of the file nor fonts nor character maps.
    disableAutoFetch: true,
    disableStream: true,
    disableRange: true,
  })
}

function toRefusal(fault: unknown): Error {
  const name = fault instanceof Error ? fault.name : ''
  if (name === 'PasswordException')
    return new Refusal(
      'The PDF is protected by a password. Remove the protection and add it again.',
    )
  if (name === 'InvalidPDFException' || name === 'FormatError')
    return new Refusal('The file is damaged: it cannot be read as a PDF.')
  return fault instanceof Error ? fault : new Error(String(fault))
}

async function readPage(document: PdfDocument, number: number): Promise<string> {
  const page = await document.getPage(number)
  const items: PlacedText[] = []
  const { items: found } = await page.getTextContent()
  for (const item of found) {
    if (!('str' in item)) continue
    const [a, b, , , x, y] = item.transform as [number, number, number, number, number, number]
    items.push({ text: item.str, x, y, width: item.width, height: item.height || Math.hypot(a, b) })
  }
  page.cleanup()
  return layOutPage(items)
}

async function readPages(
  document: PdfDocument,
  labels: readonly string[] | null,
  { sink, progress }: ReadingTarget,
): Promise<number> {
  let empty = 0
  for (let number = 1; number <= document.numPages; number += 1) {
    const text = await readPage(document, number)
    if (text.trim() === '') empty += 1
    if (number > 1) sink.write('\n\n')
    const label = labels?.[number - 1]
    sink.beginPage(label && label !== String(number) ? label : null)
    sink.write(text)
    await sink.flush()
    progress(number, document.numPages)
    if (number % CLEAN_UP_INTERVAL === 0) await document.cleanup()
  }
  return empty
}

function describeEmptyPages(empty: number, all: number): string[] {
  if (empty === 0) return []
  if (empty === all)
    return [
      'The pages are pictures without text, so nothing in them can be found. Run text recognition (OCR) on the PDF and add it again.',
    ]
  return [`${empty} of ${all} pages are pictures or empty, so nothing in them can be found.`]
}

export const readPdf: Reader = async (file, target) => {
  if (file.size > LARGEST_PDF)
    throw new Refusal('PDF files can be up to 160 MB. Split this one into smaller files.')
  try {
    const document = await openPdf(file.path)
    if (document.numPages > MOST_PAGES)
      throw new Refusal(
        `PDF files can have up to ${MOST_PAGES} pages. Split this one into smaller files.`,
      )
    const labels = await document.getPageLabels().catch(() => null)
    const empty = await readPages(document, labels, target)
    const { info } = (await document.getMetadata().catch(() => ({ info: {} }))) as {
      info: { Title?: unknown }
    }
    const title =
      typeof info.Title === 'string' && info.Title.trim() !== '' ? info.Title.trim() : null
    return { format: 'text', title, notices: describeEmptyPages(empty, document.numPages) }
  } catch (fault) {
    throw toRefusal(fault)
  }
}
