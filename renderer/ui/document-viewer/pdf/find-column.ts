import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Points of paper left beside the text. */
const MARGIN = 8

/** The part of a page's width that holds its text, in points of paper. */
export interface Column {
  readonly start: number
  readonly width: number
}

/**
 * Returns the width from the first to the last letter of the lines of a page. At least half of the
 * page, so that a single short line is not magnified; the whole page without horizontal text.
 */
export async function findColumn(page: PDFPageProxy): Promise<Column> {
  const viewport = page.getViewport({ scale: 1 })
  const whole: Column = { start: 0, width: viewport.width }
  if (viewport.rotation !== 0) return whole
  const { items } = await page.getTextContent()
  const edges = items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return []
    const left = Number(item.transform[4]) - viewport.viewBox[0]!
    return [left, left + item.width]
  })
  if (edges.length === 0) return whole
  const start = Math.max(0, edges.reduce((a, b) => Math.min(a, b)) - MARGIN)
  const end = Math.min(viewport.width, edges.reduce((a, b) => Math.max(a, b)) + MARGIN)
  const width = Math.max(end - start, viewport.width / 2)
  return { start: Math.max(0, Math.min(start, viewport.width - width)), width }
}
