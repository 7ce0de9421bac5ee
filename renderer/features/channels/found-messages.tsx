import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FoundMessage } from '#contract/channel-messages.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { channelPath } from '../../lib/router.ts'
import { splitSnippet } from '../../lib/snippet.ts'
import { Button } from '../../ui/controls/button.tsx'
import { type ChannelsStore, selectChannel } from './channels-store.ts'
import { channelName } from './channel-name.ts'
import { toPlainText } from './mentions.ts'
import { wholeTime } from './message-head.tsx'
import { authorName } from './shown-message.ts'
import './strings.ts'

const WAIT = 180
const LIMIT = 20

interface FoundState {
  readonly text: string
  readonly items: readonly FoundMessage[]
  readonly hasMore: boolean
  readonly problem: string | null
}

function useFound(text: string): { readonly found: FoundState | null; readonly more: () => void } {
  const [found, setFound] = useState<FoundState | null>(null)
  const wanted = text.trim()
  useEffect(() => {
    if (wanted === '') return
    const abort = new AbortController()
    const find = async (): Promise<void> => {
      try {
        const { items } = await call(
          endpoints.channels.search,
          { query: { text: wanted, limit: LIMIT } },
          { signal: abort.signal },
        )
        setFound({ text: wanted, items, hasMore: items.length === LIMIT, problem: null })
      } catch (thrown) {
        if (!isAborted(thrown))
          setFound({ text: wanted, items: [], hasMore: false, problem: toSentence(thrown) })
      }
    }
    const timer = setTimeout(() => void find(), WAIT)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [wanted])
  const more = (): void => {
    const last = found?.items.at(-1)
    if (!found || !last) return
    call(endpoints.channels.search, {
      query: { text: found.text, limit: LIMIT, before: last.id },
    }).then(
      ({ items }) =>
        setFound((now) =>
          now?.text === found.text
            ? { ...now, items: [...now.items, ...items], hasMore: items.length === LIMIT }
            : now,
        ),
      (thrown: unknown) => setFound((now) => now && { ...now, problem: toSentence(thrown) }),
    )
  }
  return { found: wanted === '' ? null : found, more }
}

function Snippet({ text }: { text: string }) {
  let offset = 0
  return splitSnippet(toPlainText(text)).map((part) => {
    offset += part.text.length
    return part.match ? (
      <mark key={offset}>{part.text}</mark>
    ) : (
      <span key={offset}>{part.text}</span>
    )
  })
}

function Hit({
  message,
  store,
  meId,
}: {
  message: FoundMessage
  store: ChannelsStore
  meId: string
}) {
  const { t, i18n } = useTranslation()
  const known = selectChannel(message.channel.id)(store.getState())
  const name = channelName(known ?? message.channel, meId)
  return (
    <li>
      <a
        href={channelPath(message.channel.id, { message: message.id, thread: message.parent_id })}
        onClick={handleLink}
        data-row=""
        className="block rounded-medium px-2.5 py-2 no-underline hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="flex gap-1.5">
          <bdi className="min-w-0 flex-1 truncate font-medium">
            {t('channels.search.place', { author: authorName(message), channel: name })}
          </bdi>
        </span>
        <bdi className="mt-0.5 line-clamp-2 text-small text-muted">
          <Snippet text={message.snippet} />
        </bdi>
        <span className="mt-0.5 block text-small text-muted">
          {wholeTime(message.created_at, i18n.language)}
        </span>
      </a>
    </li>
  )
}

/** Channel messages that contain the search terms, shown below the chats found. */
export function FoundMessages({
  text,
  store,
  meId,
}: {
  text: string
  store: ChannelsStore
  meId: string
}) {
  const { t } = useTranslation()
  const { found, more } = useFound(text)
  if (!found || (found.items.length === 0 && found.problem === null)) return null
  return (
    <section aria-label={t('channels.search.title')} className="border-t border-line pt-2 pb-3">
      <h3 className="px-2.5 py-1.5 text-small font-medium text-muted">
        {t('channels.search.title')}
      </h3>
      {found.problem && (
        <p className="px-2.5 text-small text-danger">
          {t('channels.search.failed', { problem: found.problem })}
        </p>
      )}
      <ul className="flex flex-col gap-px">
        {found.items.map((message) => (
          <Hit key={message.id} message={message} store={store} meId={meId} />
        ))}
      </ul>
      {found.hasMore && (
        <Button tone="quiet" className="mx-auto flex" onClick={more}>
          {t('channels.search.more')}
        </Button>
      )}
    </section>
  )
}
