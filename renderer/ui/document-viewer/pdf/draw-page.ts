import { type PDFPageProxy, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { matchWords, type TextRange } from './match-words.ts'

/**
 * Maximum number of canvas pixels: browsers refuse larger canvases or slow down; a larger page is
 * rendered at a lower resolution.
 */
const LARGEST_CANVAS = 16 * 1024 * 1024

export interface DrawnPage {
  /** First highlight of the passage; null if it is not on the page, or the page is an image. */
  readonly mark: HTMLElement | null
  readonly hasText: boolean
}

async function drawCanvas(
  page: PDFPageProxy,
  scale: number,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  const { width, height } = page.getViewport({ scale })
  const sharpness = Math.min(devicePixelRatio || 1, Math.sqrt(LARGEST_CANVAS / (width * height)))
  const viewport = page.getViewport({ scale: scale * sharpness })
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  canvas.width = Math.max(1, Math.floor(viewport.width))
  canvas.height = Math.max(1, Math.floor(viewport.height))
  const task = page.render({ canvas, viewport })
  const cancel = (): void => task.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  await task.promise
  signal.removeEventListener('abort', cancel)
  return canvas
}

/** Highlights the parts of one text run. */
function markRun(
  run: HTMLElement,
  start: number,
  ranges: readonly TextRange[],
): HTMLElement | null {
  const text = run.textContent
  const parts: (string | HTMLElement)[] = []
  let [place, first]: [number, HTMLElement | null] = [0, null]
  for (const range of ranges) {
    const [from, to] = [
      Math.max(place, range.start - start),
      Math.min(text.length, range.end - start),
    ]
    if (from >= to) continue
    const mark = document.createElement('mark')
    mark.textContent = text.slice(from, to)
    parts.push(text.slice(place, from), mark)
    place = to
    first ??= mark
  }
  if (first) run.replaceChildren(...parts, text.slice(place))
  return first
}

function markPassage(
  layer: TextLayer,
  ends: readonly boolean[],
  passage: string,
): HTMLElement | null {
  const starts: number[] = []
  let text = ''
  for (const [index, run] of layer.textContentItemsStr.entries()) {
    starts.push(text.length)
    text += ends[index] === true ? `${run}\n` : run
  }
  const ranges = matchWords(text, passage)
  const marks =
    ranges.length === 0
      ? []
      : layer.textDivs.map((run, index) => markRun(run, starts[index]!, ranges))
  return marks.find((mark) => mark !== null) ?? null
}

/**
 * Renders a page into an element, with a text layer for reading, selection and highlighting. The
 * element keeps its contents until the picture is ready. Rejects when aborted.
 */
export async function drawPage(
  host: HTMLElement,
  page: PDFPageProxy,
  options: DrawOptions,
): Promise<DrawnPage> {
  const { scale, passage, signal } = options
  const viewport = page.getViewport({ scale })
  const [canvas, content] = await Promise.all([
    drawCanvas(page, scale, signal),
    page.getTextContent(),
  ])
  signal.throwIfAborted()
  const runs = content.items.filter((item) => 'str' in item)
  const container = document.createElement('div')
  container.className = 'pdf-text'
  host.style.setProperty('--total-scale-factor', String(scale))
  host.style.width = `${viewport.width}px`
  host.style.height = `${viewport.height}px`
  host.replaceChildren(canvas, container)
  const layer = new TextLayer({ textContentSource: content, container, viewport })
  await layer.render()
  signal.throwIfAborted()
  const ends = runs.map(({ hasEOL }) => hasEOL)
  return {
    mark: passage === '' ? null : markPassage(layer, ends, passage),
    hasText: runs.some(({ str }) => str.trim() !== ''),
  }
}

export interface DrawOptions {
  readonly scale: number
  /** Text to highlight on the page. */
  readonly passage: string
  readonly signal: AbortSignal
}
