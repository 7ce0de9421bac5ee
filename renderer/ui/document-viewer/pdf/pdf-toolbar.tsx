import { ChevronLeft, ChevronRight, MoveHorizontal, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../controls/icon-button.tsx'

/** Fit the page or its text to the available width, or a multiple of the paper size. */
export type Zoom = 'width' | 'text' | number

const STEPS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const
const [SMALLEST, LARGEST] = [STEPS[0], STEPS.at(-1)!]

const toLarger = (zoom: Zoom): Zoom =>
  typeof zoom === 'string' ? 1.25 : (STEPS.find((step) => step > zoom) ?? LARGEST)
const toSmaller = (zoom: Zoom): Zoom =>
  typeof zoom === 'string' ? 0.75 : (STEPS.findLast((step) => step < zoom) ?? SMALLEST)

/** Views that one button cycles through on a phone: the page, its text, its own size. */
const NEXT_ON_PHONE: Partial<Record<Zoom, Zoom>> = { width: 'text', text: 1 }

interface PdfToolbarProps {
  readonly page: number
  readonly count: number
  readonly zoom: Zoom
  /** Id of the element the buttons control. */
  readonly pageId: string
  readonly onPage: (page: number) => void
  readonly onZoom: (zoom: Zoom) => void
}

function PageBox({ page, count, onPage }: Pick<PdfToolbarProps, 'page' | 'count' | 'onPage'>) {
  const { t } = useTranslation()
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    box.current!.value = String(page)
  }, [page])
  const read = (): void => {
    const wanted = Number.parseInt(box.current!.value, 10)
    if (Number.isNaN(wanted) || wanted === page) box.current!.value = String(page)
    else onPage(wanted)
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') read()
  }
  return (
    <span className="flex items-center gap-1 text-small text-muted tabular-nums">
      <input
        ref={box}
        aria-label={t('documents.page')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        defaultValue={page}
        onBlur={read}
        onKeyDown={handleKey}
        onFocus={(event) => event.target.select()}
        className="h-7 w-11 rounded-small border border-edge/60 bg-raised text-center text-ink pointer-coarse:h-11"
      />
      {t('documents.ofPages', { count })}
    </span>
  )
}

/** Page navigation and zoom. */
export function PdfToolbar({ page, count, zoom, pageId, onPage, onZoom }: PdfToolbarProps) {
  const { t } = useTranslation()
  return (
    <div
      role="toolbar"
      aria-label={t('documents.toolbar')}
      aria-controls={pageId}
      className="flex flex-1 flex-wrap items-center justify-end gap-x-3 gap-y-1"
    >
      <span className="flex items-center gap-0.5">
        <IconButton
          label={t('documents.previousPage')}
          icon={<ChevronLeft className="rtl:-scale-x-100" />}
          aria-disabled={page === 1}
          onClick={() => onPage(page - 1)}
        />
        <PageBox page={page} count={count} onPage={onPage} />
        <IconButton
          label={t('documents.nextPage')}
          icon={<ChevronRight className="rtl:-scale-x-100" />}
          aria-disabled={page === count}
          onClick={() => onPage(page + 1)}
        />
      </span>
      {/* A phone has room for one button only, and two fingers zoom further. */}
      <span className="hidden max-sm:pointer-coarse:block">
        <IconButton
          label={t(typeof zoom === 'string' ? 'documents.larger' : 'documents.fitWidth')}
          icon={typeof zoom === 'string' ? <ZoomIn /> : <MoveHorizontal />}
          onClick={() => onZoom(NEXT_ON_PHONE[zoom] ?? 'width')}
        />
      </span>
      <span className="flex items-center gap-0.5 max-sm:pointer-coarse:hidden">
        <IconButton
          label={t('documents.smaller')}
          icon={<ZoomOut />}
          aria-disabled={zoom === SMALLEST}
          onClick={() => onZoom(toSmaller(zoom))}
        />
        <IconButton
          label={t('documents.larger')}
          icon={<ZoomIn />}
          aria-disabled={zoom === LARGEST}
          onClick={() => onZoom(toLarger(zoom))}
        />
        <IconButton
          label={t('documents.fitWidth')}
          icon={<MoveHorizontal />}
          aria-pressed={zoom === 'width'}
          className="aria-pressed:bg-pressed aria-pressed:text-ink"
          onClick={() => onZoom('width')}
        />
      </span>
    </div>
  )
}
