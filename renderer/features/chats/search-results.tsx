import { Archive, Folder, Link2, Pin, SearchX } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ChatSearchHit } from '#contract/chats.ts'
import { classNames } from '../../lib/class-names.ts'
import { formatAge } from '../../lib/format-time.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath } from '../../lib/router.ts'
import { type SnippetPart, splitSnippet } from '../../lib/snippet.ts'
import { toSentence } from '../../api/api-error.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { ActiveFilters } from './active-filters.tsx'
import type { ChatsStore } from './chats-store.ts'
import { moveFocus } from './move-focus.ts'
import { searchMore, splitTitle, wordsOf } from './search-chats.ts'

function Marked({ parts }: { parts: readonly SnippetPart[] }) {
  let offset = 0
  return parts.map((part) => {
    offset += part.text.length
    return part.match ? (
      <mark key={offset}>{part.text}</mark>
    ) : (
      <span key={offset}>{part.text}</span>
    )
  })
}

/** Labels of a hit outside the regular list. */
function HitMarks({ hit }: { hit: ChatSearchHit }) {
  const { t } = useTranslation()
  const marks = [
    hit.pinned && { icon: <Pin />, text: t('chats.pinned') },
    hit.archived && { icon: <Archive />, text: t('chats.archivedMark') },
    hit.share_id !== null && { icon: <Link2 />, text: t('chats.sharedMark') },
  ].filter((mark) => mark !== false)
  return marks.map(({ icon, text }) => (
    <span key={text} className="shrink-0 self-center text-muted [&>svg]:size-3.5" title={text}>
      {icon}
      <span className="sr-only">{text}</span>
    </span>
  ))
}

interface HitProps {
  readonly hit: ChatSearchHit
  readonly query: string
  /** Name of the folder that contains the chat, if any. */
  readonly folderName: string | undefined
}

function Hit({ hit, query, folderName }: HitProps) {
  const { t } = useTranslation()
  return (
    <li>
      <a
        href={chatPath(hit.id, hit.message_id)}
        onClick={handleLink}
        data-row=""
        data-chat-id={hit.id}
        className="block rounded-medium px-2.5 py-2 no-underline hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="flex items-baseline gap-1.5">
          <bdi
            className={classNames(
              'min-w-0 flex-1 truncate font-medium',
              hit.archived && 'text-muted',
            )}
          >
            <Marked parts={splitTitle(hit.title || t('chats.untitled'), query)} />
          </bdi>
          <HitMarks hit={hit} />
          <time data-exempt className="shrink-0 text-tiny text-muted">
            {formatAge(hit.updated_at)}
          </time>
        </span>
        {folderName !== undefined && (
          <span className="flex items-center gap-1 text-small text-muted">
            <Folder className="size-3.5 shrink-0" />
            <span className="sr-only">{t('chats.inFolder', { name: folderName })}</span>
            <bdi aria-hidden="true" className="truncate">
              {folderName}
            </bdi>
          </span>
        )}
        {hit.snippet && (
          <bdi className="mt-0.5 line-clamp-2 text-small text-muted">
            <Marked parts={splitSnippet(hit.snippet)} />
          </bdi>
        )}
      </a>
    </li>
  )
}

/** Loads the next page of results. */
function MoreHits({ store }: { store: ChatsStore }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const handleClick = (): void => {
    setBusy(true)
    setProblem(null)
    searchMore(store)
      .catch((thrown: unknown) => setProblem(toSentence(thrown)))
      .finally(() => setBusy(false))
  }
  return (
    <div className="flex flex-col items-center gap-1 pb-4">
      <Button tone="quiet" busy={busy} onClick={handleClick}>
        {t('chats.moreHits')}
      </Button>
      {problem && <p className="text-small text-danger">{problem}</p>}
    </div>
  )
}

interface SearchResultsProps {
  readonly store: ChatsStore
  /** Folder names by id. */
  readonly folderNames: ReadonlyMap<string, string>
}

/** Search results with the location of each; a link leads to the matching message. */
export function SearchResults({ store, folderNames }: SearchResultsProps) {
  const text = useStore(store, (state) => state.search.text)
  return (
    <>
      <ActiveFilters store={store} text={text} />
      <Hits store={store} folderNames={folderNames} />
    </>
  )
}

function Hits({ store, folderNames }: SearchResultsProps) {
  const { t } = useTranslation()
  const { status, hits, text, problem, hasMore } = useStore(store, (state) => state.search)
  const words = wordsOf(text).trim()
  if (status === 'failed') return <EmptyState title={t('chats.searchFailed')}>{problem}</EmptyState>
  if (hits.length === 0) {
    if (status === 'idle')
      return <p className="px-2.5 py-3 text-small text-muted">{t('chats.searchOn')}</p>
    if (status === 'searching')
      return <p className="px-2.5 py-3 text-small text-muted">{t('chats.searching')}</p>
    return (
      <EmptyState
        icon={<SearchX />}
        title={words ? t('chats.nothingFound', { text: words }) : t('chats.help.none')}
      >
        {t('chats.nothingFoundHint')}
      </EmptyState>
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys only move between links that are focusable themselves
    <div data-rows="" onKeyDown={(event: KeyboardEvent<HTMLElement>) => void moveFocus(event)}>
      <output className="block px-2.5 py-1.5 text-small font-medium text-muted">
        {t(hasMore ? 'chats.hitsSoFar' : 'chats.hits', { count: hits.length })}
      </output>
      <ul className="flex flex-col gap-px pb-3">
        {hits.map((hit) => (
          <Hit
            key={`${hit.id} ${hit.message_id ?? ''}`}
            hit={hit}
            query={text}
            folderName={folderNames.get(hit.folder_id ?? '')}
          />
        ))}
      </ul>
      {hasMore && <MoreHits store={store} />}
    </div>
  )
}
