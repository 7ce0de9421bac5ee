import { useEffect, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { Spinner } from '../../marks/spinner.tsx'
import type { DocumentPlace } from '../document-place.ts'
import { isOnPhone } from '../is-on-phone.ts'
import { findPage } from './find-page.ts'
import { openPdf } from './open-pdf.ts'
import { PdfPage } from './pdf-page.tsx'
import { PdfToolbar, type Zoom } from './pdf-toolbar.tsx'
import './pdf.css'

type Opened =
  | { readonly document: PDFDocumentProxy }
  | { readonly problem: 'locked' | 'broken' }
  | null

function usePdf(address: string): Opened {
  const [opened, setOpened] = useState<{ address: string; state: Opened } | null>(null)
  useEffect(() => {
    const pdf = openPdf(address)
    let isClosed = false
    pdf.document.then(
      (document) => setOpened({ address, state: { document } }),
      (thrown: unknown) => {
        const isLocked = thrown instanceof Error && thrown.name === 'PasswordException'
        if (!isClosed) setOpened({ address, state: { problem: isLocked ? 'locked' : 'broken' } })
      },
    )
    return () => {
      isClosed = true
      pdf.close()
    }
  }, [address])
  return opened?.address === address ? opened.state : null
}

interface PagesProps {
  readonly document: PDFDocumentProxy
  readonly place: DocumentPlace | null
  /** Element that receives the toolbar. */
  readonly toolPlace: HTMLElement | null
}

function Pages({ document, place, toolPlace, target }: PagesProps & { readonly target: number }) {
  const { t } = useTranslation()
  const count = document.numPages
  const [page, setPage] = useState(target)
  const [zoom, setZoom] = useState<Zoom>(() => (isOnPhone() ? 'text' : 'width'))
  const [note, setNote] = useState('')
  const id = useId()
  const go = (next: number): void => {
    setNote('')
    setPage(Math.min(Math.max(1, next), count))
  }
  const tell = (found: { isMarked: boolean; hasText: boolean }): void => {
    if (!found.hasText) setNote(t('documents.scanned'))
    else if (place && page === target && !found.isMarked) setNote(t('documents.notMarked'))
  }
  return (
    <div className="flex flex-col gap-2">
      {toolPlace &&
        createPortal(
          <PdfToolbar
            page={page}
            count={count}
            zoom={zoom}
            onPage={go}
            onZoom={setZoom}
            pageId={id}
          />,
          toolPlace,
        )}
      {note && <p className="text-small text-muted">{note}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- what scrolls also turns its pages by arrow keys */}
      <section
        id={id}
        aria-label={t('documents.pageOf', { page, count })}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.altKey || event.ctrlKey || event.metaKey || typeof zoom === 'number') return
          const [back, on] =
            window.document.dir === 'rtl'
              ? ['ArrowRight', 'ArrowLeft']
              : ['ArrowLeft', 'ArrowRight']
          if (event.key === on) go(page + 1)
          if (event.key === back) go(page - 1)
        }}
        className="overflow-x-auto rounded-small p-px max-sm:-mx-4"
      >
        <PdfPage
          key={page}
          document={document}
          number={page}
          zoom={zoom}
          passage={page === target ? (place?.text ?? '') : ''}
          onDrawn={tell}
        />
      </section>
    </div>
  )
}

/** Returns the first page to show; null while it is searched for. */
function useTarget({ document, place }: Omit<PagesProps, 'toolPlace'>): number | null {
  const [found, setFound] = useState<{ place: DocumentPlace | null; page: number } | null>(null)
  const known = place?.page ?? (place?.text ? null : 1)
  useEffect(() => {
    if (known !== null || !place) return
    const abort = new AbortController()
    findPage(document, place.text, abort.signal).then(
      (page) => {
        if (!abort.signal.aborted) setFound({ place, page: page ?? 1 })
      },
      () => {
        if (!abort.signal.aborted) setFound({ place, page: 1 })
      },
    )
    return () => abort.abort()
  }, [document, place, known])
  const page = known ?? (found?.place === place ? found.page : null)
  return page === null ? null : Math.min(Math.max(1, page), document.numPages)
}

function TargetedPages(props: PagesProps) {
  const target = useTarget(props)
  if (target === null) return <Spinner className="mx-auto my-8" />
  return <Pages {...props} target={target} />
}

interface PdfViewProps extends Omit<PagesProps, 'document'> {
  readonly address: string
}

/** The pages of a PDF file, starting with that of a passage, which is highlighted. */
export function PdfView({ address, place, toolPlace }: PdfViewProps) {
  const { t } = useTranslation()
  const opened = usePdf(address)
  if (opened === null) return <Spinner className="mx-auto my-8" />
  if ('problem' in opened)
    return <p className="text-pretty text-muted">{t(`documents.${opened.problem}`)}</p>
  return (
    <TargetedPages
      key={`${place?.page} ${place?.start}`}
      document={opened.document}
      place={place}
      toolPlace={toolPlace}
    />
  )
}
