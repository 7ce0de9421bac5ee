import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { Spinner } from '../../spinner.tsx'
import { drawPage } from './draw-page.ts'
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

interface PdfPageProps {
  readonly document: PDFDocumentProxy
  readonly number: number
  readonly zoom: Zoom
  /** Text to highlight; empty for none. */
  readonly passage: string
  readonly onDrawn: (found: { isMarked: boolean; hasText: boolean }) => void
}

/** One page, rendered at the available width or a fixed zoom. */
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
      const natural = page.getViewport({ scale: 1 }).width
      const scale = zoom === 'width' ? width / natural : zoom * POINT
      const { mark, hasText } = await drawPage(host.current!, page, {
        scale,
        passage,
        signal: abort.signal,
      })
      setState('drawn')
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
