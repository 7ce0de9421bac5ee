import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { matchWords } from './match-words.ts'

/** Maximum number of pages searched. */
const MOST_PAGES = 400
/** Share of the words from which a page counts as the match. */
const ENOUGH = 0.9

const lengthOf = (ranges: ReturnType<typeof matchWords>): number =>
  ranges.reduce((sum, { start, end }) => sum + end - start, 0)

async function readText(document: PDFDocumentProxy, number: number): Promise<string> {
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}

/** Resolves with the page that contains most of a passage; null if none contains any of it. */
export async function findPage(
  document: PDFDocumentProxy,
  passage: string,
  signal: AbortSignal,
): Promise<number | null> {
  let best: { page: number; length: number } | null = null
  for (let number = 1; number <= Math.min(document.numPages, MOST_PAGES); number += 1) {
    signal.throwIfAborted()
    const length = lengthOf(matchWords(await readText(document, number), passage))
    if (length > (best?.length ?? 0)) best = { page: number, length }
    if (length >= passage.length * ENOUGH) break
  }
  return best?.page ?? null
}
