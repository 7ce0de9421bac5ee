import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { Spinner } from '../../marks/spinner.tsx'
import { drawPage } from './draw-page.ts'
import { findColumn } from './find-column.ts'
import type { Zoom } from './pdf-toolbar.tsx'

/** CSS pixels per point of paper. */
const POINT = 96 / 72
/** Maximum change of width, such as a scroll bar appearing, that needs no re-render. */
const STEADY = 20
const WAIT = 120

function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let known = 0
    const observer = new ResizeObserver(([entry]) => {
      const next = Math.floor(entry!.contentRect.width)
      if (Math.abs(next - known) < STEADY) return
      clearTimeout(timer)
      timer = setTimeout(
        () => {
          known = next
          setWidth(next)
        },
        known === 0 ? 0 : WAIT,
      )
    })
    observer.observe(ref.current!)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [])
  return [ref, width]
}

/** Scrolls a page sideways until a place of it is at the edge of its box. */
function showFrom(page: HTMLElement, place: number): void {
  const box = page.closest('section')
  if (!box) return
  // Relative, because positions count from the other edge in languages written from the right.
  box.scrollBy({
    left: page.getBoundingClientRect().left + place - box.getBoundingClientRect().left,
  })
}

interface PdfPageProps {
  readonly document: PDFDocumentProxy
  readonly number: number
  readonly zoom: Zoom
  /** Text to highlight; empty for none. */
  readonly passage: string
  readonly onDrawn: (found: { isMarked: boolean; hasText: boolean }) => void
}

/** One page, rendered at the available width, with or without its margins, or a fixed zoom. */
export function PdfPage({ document, number, zoom, passage, onDrawn }: PdfPageProps) {
  const { t } = useTranslation()
  const [frame, width] = useWidth()
  const host = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing')
  const tell = useRef(onDrawn)
  useEffect(() => {
    tell.current = onDrawn
  })
  useEffect(() => {
    if (width === 0) return
    const abort = new AbortController()
    const draw = async (): Promise<void> => {
      const page = await document.getPage(number)
      const whole = { start: 0, width: page.getViewport({ scale: 1 }).width }
      const column = zoom === 'text' ? await findColumn(page) : whole
      const scale = typeof zoom === 'number' ? zoom * POINT : width / column.width
      const { mark, hasText } = await drawPage(host.current!, page, {
        scale,
        passage,
        signal: abort.signal,
      })
      setState('drawn')
      if (zoom === 'text') showFrom(host.current!, column.start * scale)
      mark?.scrollIntoView({ block: 'center', inline: 'nearest' })
      tell.current({ isMarked: mark !== null, hasText })
    }
    draw().catch(() => {
      if (!abort.signal.aborted) setState('failed')
    })
    return () => abort.abort()
  }, [document, number, zoom, width, passage])
  return (
    <div ref={frame} aria-busy={state === 'drawing'} className="relative min-h-64">
      {state === 'drawing' && <Spinner className="absolute inset-x-0 top-16 z-10 mx-auto" />}
      {state === 'failed' && (
        <p className="py-8 text-center text-muted">{t('documents.pageFailed')}</p>
      )}
      <div ref={host} className="pdf-page" hidden={state === 'failed'} />
    </div>
  )
}
