import { SearchX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ChatSearchHit } from '#contract/chats.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath } from '../../lib/router.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { ChatsStore } from './chats-store.ts'
import { splitSnippet, splitTitle, type SnippetPart } from './search-chats.ts'

function Marked({ parts }: { parts: readonly SnippetPart[] }) {
  let offset = 0
  return parts.map((part) => {
    offset += part.text.length
    return part.match ? <mark key={offset}>{part.text}</mark> : <span key={offset}>{part.text}</span>
  })
}

function Hit({ hit, query }: { hit: ChatSearchHit; query: string }) {
  const { t } = useTranslation()
  return (
    <li>
      <a
        href={chatPath(hit.id, hit.message_id)}
        onClick={handleLink}
        data-chat-id={hit.id}
        className="block rounded-medium px-2.5 py-2 no-underline hover:bg-hover focus-visible:-outline-offset-2"
      >
        <bdi className="block truncate font-medium [text-align:match-parent]">
          <Marked parts={splitTitle(hit.title || t('chats.untitled'), query)} />
        </bdi>
        {hit.snippet && (
          <bdi className="mt-0.5 line-clamp-2 [text-align:match-parent] text-small text-muted">
            <Marked parts={splitSnippet(hit.snippet)} />
          </bdi>
        )}
      </a>
    </li>
  )
}

/** What was found, with the place of each hit; a link leads to the very message. */
export function SearchResults({ store }: { store: ChatsStore }) {
  const { t } = useTranslation()
  const { status, hits, text, problem } = useStore(store, (state) => state.search)
  if (status === 'failed') return <EmptyState title={t('chats.searchFailed')}>{problem}</EmptyState>
  if (hits.length === 0) {
    if (status === 'searching') return <p className="px-2.5 py-3 text-small text-muted">{t('chats.searching')}</p>
    return (
      <EmptyState icon={<SearchX />} title={t('chats.nothingFound', { text: text.trim() })}>
        {t('chats.nothingFoundHint')}
      </EmptyState>
    )
  }
  return (
    <>
      <output className="block px-2.5 py-1.5 text-small font-medium text-muted">{t('chats.hits', { count: hits.length })}</output>
      <ul className="flex flex-col gap-px pb-3">
        {hits.map((hit) => (
          <Hit key={`${hit.id} ${hit.message_id ?? ''}`} hit={hit} query={text} />
        ))}
      </ul>
    </>
  )
}
