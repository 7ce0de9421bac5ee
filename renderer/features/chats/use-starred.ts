import { useCallback, useEffect, useRef, useState } from 'react'
import type { StarredMessage } from '#contract/chat-lists.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { socket } from '../../api/socket.ts'
import { PAGE_SIZE } from './chats-store.ts'

interface Pages {
  readonly messages: readonly StarredMessage[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  readonly hasMore: boolean
}

const EMPTY: Pages = { messages: [], status: 'loading', problem: null, hasMore: false }
/** Delay in ms while the user types. */
const WAIT = 180
/** Delay in ms that combines bursts of chat changes. */
const SETTLE = 300

export const keyOf = ({ chat_id: chatId, message_id: id }: StarredMessage): string =>
  `${chatId} ${id}`

/** Loads as many pages as are shown, since any of them may have changed. */
async function readPages(
  query: string,
  pages: number,
  signal: AbortSignal,
): Promise<Pick<Pages, 'messages' | 'hasMore'>> {
  const messages = new Map<string, StarredMessage>()
  for (let page = 1; page <= pages; page += 1) {
    const rows = await call(
      endpoints.chats.starred,
      { query: { page, query: query.trim() || undefined } },
      { signal },
    )
    for (const row of rows) messages.set(keyOf(row), row)
    if (rows.length < PAGE_SIZE) return { messages: [...messages.values()], hasMore: false }
  }
  return { messages: [...messages.values()], hasMore: true }
}

/** Returns the starred messages, reloaded whenever a chat changes in any window. */
export function useStarred(query: string) {
  const [shown, setShown] = useState(EMPTY)
  const pages = useRef(1)
  const abort = useRef<AbortController>(null)
  const read = useCallback(async (): Promise<void> => {
    abort.current?.abort()
    const { signal } = (abort.current = new AbortController())
    try {
      const found = await readPages(query, pages.current, signal)
      setShown({ ...found, status: 'ready', problem: null })
    } catch (thrown) {
      if (!isAborted(thrown))
        setShown((before) => ({ ...before, status: 'failed', problem: toSentence(thrown) }))
    }
  }, [query])
  useEffect(() => {
    pages.current = 1
    let timer = setTimeout(() => void read(), query ? WAIT : 0)
    const readSoon = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => void read(), SETTLE)
    }
    const removers = [
      socket.onFrame((frame) => {
        if (frame.type === 'events' && frame.data.type === 'chat:list') readSoon()
      }),
      socket.onReconnected(readSoon),
    ]
    return () => {
      clearTimeout(timer)
      abort.current?.abort()
      for (const remove of removers) remove()
    }
  }, [read, query])
  const forget = (message: StarredMessage): void =>
    setShown((before) => ({
      ...before,
      messages: before.messages.filter((each) => keyOf(each) !== keyOf(message)),
    }))
  const readMore = (): void => {
    pages.current += 1
    void read()
  }
  return { ...shown, reload: () => void read(), readMore, forget }
}

/** Adds or removes the star of a message. */
export async function star(
  { chat_id, message_id }: StarredMessage,
  favorite: boolean,
): Promise<void> {
  await call(endpoints.chats.update, {
    params: { chat_id },
    query: { reply: 'minimal' },
    body: { chat: { history: { messages: { [message_id]: { favorite } } } } },
  })
}
