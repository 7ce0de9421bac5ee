import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileText } from '#contract/files.ts'
import { Button } from '../controls/button.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { SourceText } from '../sources/source-text.tsx'
import type { DocumentPlace } from './document-place.ts'
import { findPassage, STEP, type TextWindow, windowAround } from './window-around.ts'

interface PieceProps {
  readonly text: string
  readonly format: FileText['format']
}

function Piece({ text, format }: PieceProps) {
  if (text.trim() === '') return null
  if (format === 'markdown' || format === 'table') return <Markdown text={text} />
  if (format !== 'code') return <SourceText text={text} />
  return (
    <p dir="auto" className="font-mono text-code whitespace-pre-wrap wrap-anywhere">
      {text}
    </p>
  )
}

/** Returns the number of the page at an offset of a document with several; null for others. */
const pageAt = ({ pages }: FileText, offset: number): number | null =>
  pages.length < 2
    ? null
    : (pages.find(({ start, end }) => start <= offset && offset < end)?.number ?? null)

interface DocumentTextProps {
  readonly file: FileText
  /** Highlighted passage; null shows the document from its beginning. */
  readonly place: DocumentPlace | null
}

/**
 * The text of a document, around a highlighted passage that is scrolled into view if there is one.
 * More text is shown on request.
 */
export function DocumentText({ file, place: wanted }: DocumentTextProps) {
  const { t } = useTranslation()
  const { content, format } = file
  const [before, setBefore] = useState(STEP)
  const [after, setAfter] = useState(STEP)
  const mark = useRef<HTMLElement>(null)
  const place = useMemo(
    () => (wanted ? findPassage(content, wanted.text, wanted.start, wanted.end) : null),
    [content, wanted],
  )
  // Passages from a document that was given whole do not name their page.
  const page = wanted?.page ?? (place && pageAt(file, place.start))
  const shown: TextWindow = windowAround(content, place ?? { start: 0, end: 0 }, before, after)
  useEffect(() => {
    const element = mark.current
    element?.scrollIntoView({ block: element.clientHeight > innerHeight / 2 ? 'start' : 'center' })
  }, [place])
  return (
    <div className="flex flex-col gap-3 text-message">
      {wanted && place === null && <p className="text-small text-muted">{t('documents.moved')}</p>}
      {shown.start > 0 && (
        <Button className="self-center" onClick={() => setBefore(before + STEP)}>
          {t('documents.before')}
        </Button>
      )}
      <Piece text={content.slice(shown.start, place?.start ?? shown.start)} format={format} />
      {place && (
        <mark
          ref={mark}
          className="block scroll-mt-4 rounded-small border-s-3 border-accent bg-accent-soft ps-3 pe-2 py-1 text-ink"
        >
          {page && (
            <span className="block text-small font-medium text-muted">
              {t('documents.onPage', { page })}
            </span>
          )}
          <Piece text={content.slice(place.start, place.end)} format={format} />
        </mark>
      )}
      <Piece text={content.slice(place?.end ?? shown.start, shown.end)} format={format} />
      {shown.end < content.length && (
        <Button className="self-center" onClick={() => setAfter(after + STEP)}>
          {t('documents.after')}
        </Button>
      )}
    </div>
  )
}
