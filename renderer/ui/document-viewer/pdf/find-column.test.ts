import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, it } from 'vitest'
import { findColumn } from './find-column.ts'

interface Run {
  readonly str: string
  readonly left: number
  readonly width: number
}

const run = (left: number, width: number, str = 'words'): Run => ({ str, left, width })

/** Returns a page 600 points wide. */
const page = (runs: readonly Run[], rotation = 0, left = 0): PDFPageProxy =>
  ({
    getViewport: () => ({ width: 600, rotation, viewBox: [left, 0, left + 600, 800] }),
    getTextContent: async () => ({
      items: runs.map(({ str, left: x, width }) => ({ str, width, transform: [1, 0, 0, 1, x, 0] })),
    }),
  }) as unknown as PDFPageProxy

it('leaves out the margins beside all lines', async () => {
  expect(await findColumn(page([run(80, 300), run(60, 480)]))).toEqual({ start: 52, width: 496 })
})

it('counts from the edge of the visible page, and ignores blanks', async () => {
  const runs = [run(160, 480), run(100, 20, ' ')]
  expect(await findColumn(page(runs, 0, 100))).toEqual({ start: 52, width: 496 })
})

it('magnifies a short line at most twice, also at the far edge', async () => {
  expect(await findColumn(page([run(60, 40)]))).toEqual({ start: 52, width: 300 })
  expect(await findColumn(page([run(540, 40)]))).toEqual({ start: 300, width: 300 })
})

it('is the whole page if it is an image or turned', async () => {
  expect(await findColumn(page([]))).toEqual({ start: 0, width: 600 })
  expect(await findColumn(page([run(60, 480)], 90))).toEqual({ start: 0, width: 600 })
})
