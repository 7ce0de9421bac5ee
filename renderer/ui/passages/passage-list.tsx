import '../../lib/strings/passages.ts'
import { ChevronDown, FileText, Globe } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../controls/button.tsx'
import { isInMarkdown, SourceText } from '../sources/source-text.tsx'
import type { OpenDocument } from './open-document.ts'
import type { FoundPassage } from './read-passages.ts'
import { formatLocale } from '../../lib/i18n.ts'

const toScore = (value: number | null): string | null =>
  value === null
    ? null
    : new Intl.NumberFormat(formatLocale(), {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      }).format(value)

function Score({ name, value, isMain }: { name: string; value: number | null; isMain?: boolean }) {
  const { t } = useTranslation()
  return (
    <div className="flex items-baseline gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd
        className={classNames(
          'tabular-nums',
          isMain ? 'font-semibold' : value === null && 'text-muted',
        )}
      >
        {toScore(value) ?? t('passages.noScore')}
      </dd>
    </div>
  )
}

function Scores({ passage }: { passage: FoundPassage }) {
  const { t } = useTranslation()
  const { fused, vector, words, rerank } = passage
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-small">
      <Score name={t('passages.fused')} value={fused} isMain />
      <Score name={t('passages.vector')} value={vector} />
      <Score name={t('passages.words')} value={words} />
      {rerank !== null && <Score name={t('passages.rerank')} value={rerank} />}
    </dl>
  )
}

/** Length in characters above which passages are collapsed. */
const LONG = 420

function PassageText({ text, isMarkdown }: { text: string; isMarkdown: boolean }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <SourceText
        text={text}
        isMarkdown={isMarkdown}
        className={classNames(
          'text-message wrap-anywhere',
          !isOpen && text.length > LONG && 'max-h-[calc(5*var(--message-line))] overflow-hidden',
        )}
      />
      {text.length > LONG && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="-ms-1 flex min-h-6 items-center gap-1 rounded-small px-1 text-small font-medium text-muted hover:text-ink pointer-coarse:min-h-11"
        >
          <ChevronDown className={classNames('size-3.5', isOpen && 'rotate-180')} />
          {isOpen ? t('passages.less') : t('passages.whole')}
        </button>
      )}
    </>
  )
}

function PassageCard({
  passage,
  number,
  onOpen,
}: {
  passage: FoundPassage
  number: number
  onOpen: OpenDocument
}) {
  const { t } = useTranslation()
  const { name, fileId, page, pageLabel, heading, text, start, end } = passage
  const place = page === null ? null : (pageLabel ?? t('passages.page', { page }))
  const Icon = fileId === null ? Globe : FileText
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-start gap-2.5">
        <span className="mt-px grid h-5 min-w-5 shrink-0 place-items-center rounded-small bg-hover px-1 text-small font-semibold text-muted tabular-nums">
          {number}
        </span>
        <div className="min-w-0 flex-1">
          <p className="flex min-w-0 items-center gap-1.5">
            <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
            <bdi className="truncate font-medium">{name}</bdi>
            {place && <span className="shrink-0 text-small text-muted">{place}</span>}
          </p>
          {heading.length > 0 && (
            <p className="truncate text-small text-muted">
              <bdi>{heading.join(' › ')}</bdi>
            </p>
          )}
        </div>
        {fileId !== null && (
          <Button
            tone="quiet"
            aria-label={t('passages.openOf', { number, name })}
            onClick={() => onOpen({ fileId, name, passage: { text, page, start, end } })}
          >
            {t('passages.open')}
          </Button>
        )}
      </div>
      <PassageText text={text} isMarkdown={isInMarkdown(name, fileId === null)} />
      <Scores passage={passage} />
    </li>
  )
}

interface PassageListProps {
  readonly passages: readonly FoundPassage[]
  readonly milliseconds: number
  readonly onOpen: OpenDocument
}

/** Search results for a question, with their scores. */
export function PassageList({ passages, milliseconds, onOpen }: PassageListProps) {
  const { t } = useTranslation()
  if (passages.length === 0) return <p className="py-2 text-muted">{t('passages.none')}</p>
  return (
    <div className="flex flex-col gap-2">
      <p className="text-small text-muted">
        {t('passages.count', { count: passages.length, time: milliseconds })} {t('passages.scores')}
      </p>
      <ol
        aria-label={t('passages.list')}
        className="divide-y divide-line rounded-large border border-line bg-raised"
      >
        {passages.map((passage, index) => (
          <PassageCard key={passage.id} passage={passage} number={index + 1} onOpen={onOpen} />
        ))}
      </ol>
    </div>
  )
}
