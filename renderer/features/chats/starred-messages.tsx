import { Star } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StarredMessage } from '#contract/chat-lists.ts'
import { toSentence } from '../../api/api-error.ts'
import { formatDay } from '../../lib/format-time.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath } from '../../lib/router.ts'
import { splitSnippet } from '../../lib/snippet.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { LoadingRows } from '../../ui/lists/loading-rows.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { ArchivedMark } from './archived-mark.tsx'
import { moveFocus } from './move-focus.ts'
import { keyOf, star, useStarred } from './use-starred.ts'

const toText = (excerpt: string): string =>
  splitSnippet(excerpt)
    .map(({ text }) => text)
    .join('')

interface RowProps {
  readonly message: StarredMessage
  readonly onUnstar: () => void
}

function Row({ message, onUnstar }: RowProps) {
  const { t } = useTranslation()
  const title = message.title || t('chats.untitled')
  const who = message.role === 'user' ? t('chat.message.you') : message.model
  return (
    <li className="flex items-start gap-1 px-1.5 py-1">
      <a
        href={chatPath(message.chat_id, message.message_id)}
        onClick={handleLink}
        data-row=""
        className="min-w-0 flex-1 rounded-medium px-2 py-2 text-ink no-underline hover:bg-hover focus-visible:-outline-offset-2"
      >
        <bdi className="line-clamp-3 wrap-anywhere">
          {toText(message.excerpt) || t('chats.starredNoText')}
        </bdi>
        <span className="mt-1 flex flex-wrap items-center gap-x-1.5 text-small text-muted">
          <bdi className="max-w-full truncate font-medium">{title}</bdi>
          {message.archived && <ArchivedMark />}
          <span aria-hidden="true">·</span>
          {who && (
            <>
              <bdi className="max-w-48 truncate">{who}</bdi>
              <span aria-hidden="true">·</span>
            </>
          )}
          <span>{formatDay(message.timestamp)}</span>
        </span>
      </a>
      <IconButton
        label={t('chats.unstar', { title })}
        icon={<Star className="fill-current text-accent" />}
        onClick={onUnstar}
      />
    </li>
  )
}

/** Starred messages of all chats: search, open, remove the star. */
export function StarredMessages() {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const { messages, status, problem, hasMore, reload, readMore, forget } = useStarred(query)
  const wanted = query.trim()
  const isEmpty = status === 'ready' && messages.length === 0
  const tellFailure = (thrown: unknown): void => {
    toast({ tone: 'danger', text: t('chats.starFailed', { problem: toSentence(thrown) }) })
    reload()
  }
  const unstar = (message: StarredMessage): void => {
    forget(message)
    const undo = (): void => void star(message, true).then(reload, tellFailure)
    star(message, false).then(
      () =>
        toast({
          text: t('chat.message.unfavorited'),
          action: { label: t('common.undo'), onSelect: undo },
        }),
      tellFailure,
    )
  }
  return (
    <div className="flex flex-col gap-3">
      {(!isEmpty || wanted) && (
        <SearchBox label={t('chats.starredSearch')} value={query} onChange={setQuery} />
      )}
      {status === 'failed' && (
        <EmptyState
          title={t('chats.starredFailed')}
          action={<Button onClick={reload}>{t('common.retry')}</Button>}
        >
          {problem}
        </EmptyState>
      )}
      {status === 'loading' && (
        <output>
          <LoadingRows />
        </output>
      )}
      {isEmpty && wanted && (
        <EmptyState icon={<Star />} title={t('chats.nothingFound', { text: wanted })} />
      )}
      {isEmpty && !wanted && (
        <EmptyList icon={<Star />} title={t('chats.starredNone')}>
          {t('chats.starredNoneHint')}
        </EmptyList>
      )}
      {messages.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys only move between links that are focusable themselves
        <div data-rows="" onKeyDown={(event: KeyboardEvent<HTMLElement>) => void moveFocus(event)}>
          <ul className="divide-y divide-line rounded-large border border-line bg-raised">
            {messages.map((message) => (
              <Row key={keyOf(message)} message={message} onUnstar={() => unstar(message)} />
            ))}
          </ul>
        </div>
      )}
      {hasMore && (
        <Button tone="quiet" className="self-center" onClick={readMore}>
          {t('chats.folderMore')}
        </Button>
      )}
    </div>
  )
}
