import { ChevronDown, FileText, Globe, Info, Wrench } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { firstClaim } from '../../../ui/sources/locate-claim.ts'
import type { ChatMessage } from '../chat-store.ts'
import { chatViewStore, openSource } from '../chat-view-store.ts'
import { type ReadSource, toPlace, toQuote } from '../../../ui/sources/read-sources.ts'

const QUOTE = 160
/** Number of sources listed at first; rendering more would be slow and is rarely needed. */
const FIRST = 50

function SourceIcon({ source }: { source: ReadSource }) {
  if (source.fileId !== null) return <FileText />
  return typeof source.url === 'string' && source.url !== '' ? <Globe /> : <Wrench />
}

function SourceRow({
  source,
  index,
  message,
}: {
  source: ReadSource
  index: number
  message: ChatMessage
}) {
  const place = toPlace(source.passages)
  const quote = source.passages[0] && toQuote(source.passages[0], QUOTE)
  return (
    <li className="[contain-intrinsic-size:auto_2.75rem] [content-visibility:auto]">
      <button
        type="button"
        onClick={() =>
          openSource(chatViewStore, {
            messageId: message.id,
            source: index,
            passage: null,
            claim: firstClaim(message.content, index + 1),
          })
        }
        className="flex w-full items-start gap-2.5 rounded-medium px-2 py-1.5 text-start hover:bg-hover pointer-coarse:min-h-11"
      >
        <span className="mt-px grid h-[1.125rem] min-w-6 shrink-0 place-items-center rounded-small bg-hover px-1 text-tiny font-semibold text-muted tabular-nums">
          {index + 1}
        </span>
        <span className="mt-0.5 shrink-0 text-muted [&_svg]:size-3.5">
          <SourceIcon source={source} />
        </span>
        <span className="min-w-0 flex-1 text-small">
          <bdi className="font-medium text-ink">{source.name}</bdi>
          {place && <span className="text-muted"> · {place}</span>}
          {quote && <bdi className="block truncate text-muted">{quote}</bdi>}
        </span>
      </button>
    </li>
  )
}

interface SourceListProps {
  readonly sources: readonly ReadSource[]
  readonly message: ChatMessage
  /** True if the answer is complete and cites none of them. */
  readonly isUnused: boolean
}

/** Sources of an answer, numbered as in the text; collapsed into one line. */
export function SourceList({ sources, message, isUnused }: SourceListProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(FIRST)
  return (
    <div className="mt-3">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="-ms-1.5 flex min-h-7 items-center gap-1.5 rounded-small px-1.5 text-small font-medium text-muted hover:text-ink pointer-coarse:min-h-11"
      >
        <FileText className="size-3.5" />
        {t('chat.sources.count', { count: sources.length })}
        <ChevronDown
          className={classNames(
            'size-3.5 transition-transform duration-(--motion-in)',
            isOpen && 'rotate-180',
          )}
        />
      </button>
      {isUnused && (
        <p className="mt-0.5 flex items-start gap-1.5 text-small text-muted">
          <Info className="mt-0.5 size-3.5 shrink-0" />
          {t('chat.sources.unused')}
        </p>
      )}
      {isOpen && (
        <ol aria-label={t('chat.sources.list')} className="mt-1 -ms-2 flex flex-col">
          {sources.slice(0, shown).map((source, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the number of a source is its index
            <SourceRow key={index} source={source} index={index} message={message} />
          ))}
        </ol>
      )}
      {isOpen && shown < sources.length && (
        <Button className="mt-1" onClick={() => setShown(shown + 4 * FIRST)}>
          {t('chat.sources.more', { count: sources.length - shown })}
        </Button>
      )}
    </div>
  )
}
