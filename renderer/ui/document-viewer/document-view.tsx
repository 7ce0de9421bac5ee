import { type ReactNode, Suspense, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contentAddress } from '../../api/stored-document.ts'
import { classNames } from '../../lib/class-names.ts'
import { Spinner } from '../marks/spinner.tsx'
import { SourceText } from '../sources/source-text.tsx'
import type { DocumentPlace } from './document-place.ts'
import { DocumentText } from './document-text.tsx'
import { isOnPhone } from './is-on-phone.ts'
import { PictureView } from './picture-view.tsx'
import { useContentType, useFileText } from './use-document.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const PdfView = lazyPart(() => import('./pdf/pdf-view.tsx'), 'PdfView')

type View = 'pages' | 'picture' | 'text'

function viewsOf(contentType: string): readonly View[] {
  if (contentType === 'application/pdf') return ['pages', 'text']
  if (/^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(contentType)) return ['picture', 'text']
  return ['text']
}

interface TextViewProps extends DocumentViewProps {
  /** Called if there is no text; shows the pages instead unless the user chose the text. */
  readonly onEmpty: (() => void) | null
}

function TextView({ id, place, fallback, onEmpty }: TextViewProps) {
  const { t } = useTranslation()
  const asked = useFileText(id)
  const isEmpty = asked !== null && 'value' in asked && asked.value.content.trim() === ''
  useEffect(() => {
    if (isEmpty) onEmpty?.()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- decided once, when the document has been read
  }, [isEmpty])
  if (asked === null) return <Spinner className="mx-auto my-8" />
  if ('problem' in asked) return <Problem text={asked.problem} fallback={fallback} />
  if (isEmpty)
    return (
      <Problem text={asked.value.notices.join(' ') || t('documents.noText')} fallback={fallback} />
    )
  return (
    <>
      {asked.value.notices.length > 0 && (
        <p className="mb-3 text-small text-muted">{asked.value.notices.join(' ')}</p>
      )}
      <DocumentText key={`${place?.start} ${place?.text}`} file={asked.value} place={place} />
    </>
  )
}

function Problem({ text, fallback }: { text: string; fallback: ReactNode }) {
  return (
    <>
      <p className="mb-3 text-pretty text-muted">{text}</p>
      {fallback}
    </>
  )
}

interface DocumentViewProps {
  /** Id of the stored file. */
  readonly id: string
  readonly name: string
  /** Passage to find, if any. */
  readonly place: DocumentPlace | null
  /** Shown if the document cannot be displayed, for instance the quoted text. */
  readonly fallback?: ReactNode
}

function Tabs({
  views,
  view,
  panelId,
  onView,
}: {
  views: readonly View[]
  view: View
  panelId: string
  onView: (view: View) => void
}) {
  const { t } = useTranslation()
  return (
    <fieldset
      aria-label={t('documents.view')}
      className="flex w-fit gap-0.5 rounded-medium bg-hover p-0.5"
    >
      {views.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === view}
          aria-controls={panelId}
          onClick={() => onView(each)}
          className={classNames(
            'h-7 rounded-small px-3 text-small font-medium pointer-coarse:min-h-11',
            each === view
              ? 'bg-page text-ink shadow-low dark:bg-pressed dark:shadow-none'
              : 'text-muted hover:text-ink',
          )}
        >
          {t(`documents.${each}`)}
        </button>
      ))}
    </fieldset>
  )
}

/** The passage as text, where a page is too small to read it. */
function Sought({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <figure className="mb-3 rounded-medium border-s-3 border-accent bg-accent-soft py-1.5 ps-3 pe-2 text-message sm:hidden">
      <figcaption className="text-small text-muted">{t('documents.sought')}</figcaption>
      <blockquote className="max-h-[40dvh] overflow-y-auto">
        <SourceText text={text} />
      </blockquote>
    </figure>
  )
}

/** A stored document, rendered or as text, with the requested passage highlighted. */
export function DocumentView(props: DocumentViewProps) {
  const { id, name, place, fallback } = props
  const type = useContentType(id)
  const [chosen, setChosen] = useState<View | null>(null)
  // Read once: a window that is narrowed later keeps its view.
  const [isPhone] = useState(isOnPhone)
  const [toolPlace, setToolPlace] = useState<HTMLElement | null>(null)
  const panelId = useId()
  if (type === null) return <Spinner className="mx-auto my-8" />
  if ('problem' in type) return <Problem text={type.problem} fallback={fallback} />
  const views = viewsOf(type.value)
  // The letters of a whole page are too small there.
  const isTextFirst = isPhone && views[0] === 'pages'
  const first = isTextFirst ? 'text' : views[0]!
  const view = views.find((each) => each === chosen) ?? first
  return (
    <div className="flex flex-col gap-3">
      {views.length > 1 && (
        <div className="sticky top-0 z-10 -mx-1 flex flex-wrap items-center justify-between gap-2 bg-[var(--surface,var(--page))] px-1 py-1">
          <Tabs views={views} view={view} panelId={panelId} onView={setChosen} />
          <div ref={setToolPlace} className="contents" />
        </div>
      )}
      <div id={panelId}>
        {view === 'pages' && (
          <Suspense fallback={<Spinner className="mx-auto my-8" />}>
            {place !== null && <Sought text={place.text} />}
            <PdfView address={contentAddress(id)} place={place} toolPlace={toolPlace} />
          </Suspense>
        )}
        {view === 'picture' && <PictureView address={contentAddress(id)} name={name} />}
        {view === 'text' && (
          <TextView
            {...props}
            onEmpty={isTextFirst && chosen === null ? () => setChosen('pages') : null}
          />
        )}
      </div>
    </div>
  )
}
