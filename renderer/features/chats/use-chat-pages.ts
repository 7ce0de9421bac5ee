import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChatListItem, TrashedChat } from '#contract/chats.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { PAGE_SIZE } from './chats-store.ts'

export type TableKind = 'archived' | 'shared' | 'trash'
/** A row of any of the tables. */
export type TableChat = ChatListItem & Partial<Pick<TrashedChat, 'deleted_at'>>

interface Pages {
  readonly chats: readonly TableChat[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  readonly hasMore: boolean
}

const EMPTY: Pages = { chats: [], status: 'loading', problem: null, hasMore: false }
const WAIT = 180

/**
 * Returns the chats of a list outside the sidebar, page by page, filtered by words in the title.
 */
export function useChatPages(kind: TableKind, query: string) {
  const [pages, setPages] = useState(EMPTY)
  const abort = useRef<AbortController>(null)
  const read = useCallback(
    async (page: number): Promise<void> => {
      abort.current?.abort()
      const { signal } = (abort.current = new AbortController())
      try {
        const rows: readonly TableChat[] = await call(
          endpoints.chats[kind],
          { query: { page, query: query.trim() || undefined } },
          { signal },
        )
        setPages((before) => ({
          chats:
            page === 1
              ? rows
              : [
                  ...before.chats,
                  ...rows.filter(({ id }) => !before.chats.some((chat) => chat.id === id)),
                ],
          status: 'ready',
          problem: null,
          hasMore: rows.length === PAGE_SIZE,
        }))
      } catch (thrown) {
        if (!isAborted(thrown))
          setPages((before) => ({ ...before, status: 'failed', problem: toSentence(thrown) }))
      }
    },
    [kind, query],
  )
  useEffect(() => {
    const timer = setTimeout(() => void read(1), query ? WAIT : 0)
    return () => clearTimeout(timer)
  }, [read, query])
  const forget = (ids: ReadonlySet<string>): void =>
    setPages((before) => ({ ...before, chats: before.chats.filter((chat) => !ids.has(chat.id)) }))
  // Chats of the next page have moved up by the number removed here.
  const readMore = (): void => void read(Math.floor(pages.chats.length / PAGE_SIZE) + 1)
  return { ...pages, reload: () => void read(1), readMore, forget }
}
