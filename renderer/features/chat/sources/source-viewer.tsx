import { ChevronLeft, ChevronRight, ExternalLink as ExternalIcon } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { contentAddress } from '../../../api/stored-document.ts'
import { DocumentView } from '../../../ui/document-viewer/document-view.tsx'
import { ExternalLink } from '../../../ui/markdown/external-link.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { useChatView } from '../chat-context.ts'
import { chatViewStore, openSource, type OpenSource } from '../chat-view-store.ts'
import { selectMessage } from '../chat-store.ts'
import { type Cited, findCited } from './find-cited.ts'
import { isInMarkdown, SourceText } from '../../../ui/sources/source-text.tsx'
import {
  type ReadPassage,
  type ReadSource,
  readSources,
  toPlace,
} from '../../../ui/sources/read-sources.ts'

interface PassagesProps {
  readonly passages: readonly ReadPassage[]
  readonly current: number
  readonly isMarkdown: boolean
}

function Passages({ passages, current, isMarkdown }: PassagesProps) {
  return (
    <ol className="flex flex-col gap-3">
      {passages.map((passage, index) => (
        <li
          // oxlint-disable-next-line react/no-array-index-key -- passages have no other key than their index
          key={index}
          aria-current={index === current ? 'true' : undefined}
          className="rounded-medium border border-line bg-sunken px-3 py-2 text-message wrap-anywhere aria-current:border-accent"
        >
          <SourceText text={passage.text} isMarkdown={isMarkdown} />
        </li>
      ))}
    </ol>
  )
}

function Body({ source, cited }: { source: ReadSource; cited: Cited }) {
  const isPage = source.fileId === null && typeof source.url === 'string'
  const passages = (
    <Passages
      passages={source.passages}
      current={cited.passage}
      isMarkdown={isInMarkdown(source.name, isPage)}
    />
  )
  if (source.fileId === null) return passages
  return (
    <DocumentView
      key={source.fileId}
      id={source.fileId}
      name={source.name}
      place={cited.place}
      fallback={passages}
    />
  )
}

function Steps({
  source,
  open,
  current,
}: {
  source: ReadSource
  open: OpenSource
  current: number
}) {
  const { t } = useTranslation()
  const count = source.passages.length
  if (count < 2) return null
  const go = (passage: number): void => openSource(chatViewStore, { ...open, passage })
  return (
    <div className="flex items-center gap-1 text-small text-muted">
      <IconButton
        size="small"
        label={t('chat.sources.previous')}
        icon={<ChevronLeft className="rtl:-scale-x-100" />}
        disabled={current === 0}
        onClick={() => go(current - 1)}
      />
      <span aria-live="polite" className="tabular-nums">
        {t('chat.sources.passage', { number: current + 1, count })}
      </span>
      <IconButton
        size="small"
        label={t('chat.sources.next')}
        icon={<ChevronRight className="rtl:-scale-x-100" />}
        disabled={current === count - 1}
        onClick={() => go(current + 1)}
      />
    </div>
  )
}

/** One source of an answer with its passages marked. */
export function SourceViewer({ open }: { open: OpenSource }) {
  const { t } = useTranslation()
  const { chat } = useChatView()
  const message = useStore(chat.store, selectMessage(open.messageId))
  const question = useStore(chat.store, selectMessage(message?.parentId ?? ''))?.content ?? ''
  const source = useMemo(
    () => readSources(message?.sources ?? [])[open.source],
    [message?.sources, open.source],
  )
  const cited = useMemo(
    () => source && findCited(source.passages, open.passage, [open.claim, question]),
    [source, open.passage, open.claim, question],
  )
  if (!source || !cited) return <p className="text-muted">{t('chat.sources.gone')}</p>
  const place = toPlace(source.passages.slice(cited.passage, cited.passage + 1))
  const page = source.passages[cited.passage]?.page
  return (
    <div className="flex flex-col gap-3">
      <header className="flex flex-col gap-1">
        <div className="flex items-baseline justify-between gap-3">
          <h3 className="min-w-0 font-semibold wrap-anywhere">
            <bdi>{source.name}</bdi>
          </h3>
          {source.fileId !== null && (
            <a
              href={`${contentAddress(source.fileId)}${page ? `#page=${page}` : ''}`}
              target="_blank"
              rel="noreferrer"
              className="inline-flex shrink-0 items-center gap-1 text-small text-accent"
            >
              <ExternalIcon className="size-3.5" />
              {t('chat.sources.openFile')}
            </a>
          )}
        </div>
        {(place || source.passages.length > 1) && (
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-small text-muted">
            <span>{place}</span>
            <Steps source={source} open={open} current={cited.passage} />
          </div>
        )}
        {source.fileId === null && typeof source.url === 'string' && (
          <ExternalLink href={source.url} className="w-fit truncate text-small text-accent">
            {source.url}
          </ExternalLink>
        )}
      </header>
      <Body source={source} cited={cited} />
    </div>
  )
}
