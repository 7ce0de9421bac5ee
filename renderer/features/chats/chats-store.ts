import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ChatListItem, ChatSearchHit } from '#contract/chats.ts'

export const PAGE_SIZE = 60

export interface ChatsState {
  /** All chats known so far; drawn pinned first, then newest first. */
  readonly chats: readonly ChatListItem[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  readonly pagesLoaded: number
  readonly hasMore: boolean
  /** Chats deleted a moment ago, so that a list fetched meanwhile does not bring them back. */
  readonly leaving: ReadonlySet<string>
  readonly renamingId: string | null
  readonly search: SearchState
}

export interface SearchState {
  readonly text: string
  readonly status: 'idle' | 'searching' | 'done' | 'failed'
  readonly hits: readonly ChatSearchHit[]
  readonly problem: string | null
}

export type ChatsStore = StoreApi<ChatsState>

export const NO_SEARCH: SearchState = Object.freeze({ text: '', status: 'idle', hits: [], problem: null })

/** Before anything was fetched. */
export const NO_CHATS: ChatsState = Object.freeze({
  chats: [],
  status: 'loading',
  problem: null,
  pagesLoaded: 0,
  hasMore: false,
  leaving: new Set<string>(),
  renamingId: null,
  search: NO_SEARCH,
})

export const createChatsStore = (): ChatsStore => createStore<ChatsState>(() => NO_CHATS)

const byTime = (a: ChatListItem, b: ChatListItem): number => b.updated_at - a.updated_at || b.created_at - a.created_at

/** Puts rows into a list, each id once, the later row winning. */
export function mergeChats(known: readonly ChatListItem[], arrived: readonly ChatListItem[]): readonly ChatListItem[] {
  const rows = new Map(known.map((chat) => [chat.id, chat]))
  for (const chat of arrived) rows.set(chat.id, chat)
  return [...rows.values()].toSorted(byTime)
}

/** Changes one chat where it is known. */
export const patchChat = (store: ChatsStore, id: string, change: Partial<ChatListItem>): void =>
  store.setState(({ chats }) => ({ chats: chats.map((chat) => (chat.id === id ? { ...chat, ...change } : chat)).toSorted(byTime) }))

/** The chats in the order they are drawn. */
export const selectOrderedChats = (state: ChatsState): readonly ChatListItem[] => [
  ...state.chats.filter((chat) => chat.pinned),
  ...state.chats.filter((chat) => !chat.pinned),
]

export const selectChat =
  (id: string | null) =>
  (state: ChatsState): ChatListItem | null =>
    state.chats.find((chat) => chat.id === id) ?? null

/** The chat above (-1) or below (1) another one in the drawn order; the first for none. */
export function neighbourOf(state: ChatsState, id: string | null, step: 1 | -1): ChatListItem | null {
  const chats = selectOrderedChats(state)
  const index = chats.findIndex((chat) => chat.id === id)
  if (index === -1) return chats[0] ?? null
  return chats[index + step] ?? null
}
