import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ChatListItem, ChatSearchHit } from '#contract/chats.ts'

export const PAGE_SIZE = 60

export interface ChatsState {
  /**
   * Loaded chats of the list, including those in opened folders; rendered pinned first, then newest
   * first.
   */
  readonly chats: readonly ChatListItem[]
  /** Opened chats that are not in the list: archived ones, and those of pages not loaded yet. */
  readonly aside: readonly ChatListItem[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  readonly pagesLoaded: number
  readonly hasMore: boolean
  /** True if folders are available; otherwise all chats are in one list. */
  readonly hasFolders: boolean
  /** Loaded pages of each opened folder. */
  readonly folders: Readonly<Record<string, FolderPages>>
  /**
   * Ids of chats just deleted or archived, so that a list fetched meanwhile does not restore them.
   */
  readonly leaving: ReadonlySet<string>
  readonly renamingId: string | null
  /** Ids of the selected chats; null outside selection mode. */
  readonly selection: ReadonlySet<string> | null
  readonly showsTags: boolean
  readonly search: SearchState
}

export interface FolderPages {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  readonly pagesLoaded: number
  readonly hasMore: boolean
}

export interface SearchState {
  readonly text: string
  readonly status: 'idle' | 'searching' | 'done' | 'failed'
  readonly hits: readonly ChatSearchHit[]
  readonly pagesLoaded: number
  readonly hasMore: boolean
  readonly problem: string | null
}

export type ChatsStore = StoreApi<ChatsState>

export const NO_SEARCH: SearchState = Object.freeze({
  text: '',
  status: 'idle',
  hits: [],
  pagesLoaded: 0,
  hasMore: false,
  problem: null,
})

/** Initial state, before anything is loaded. */
export const NO_CHATS: ChatsState = Object.freeze({
  chats: [],
  aside: [],
  status: 'loading',
  problem: null,
  pagesLoaded: 0,
  hasMore: false,
  hasFolders: true,
  folders: {},
  leaving: new Set<string>(),
  renamingId: null,
  selection: null,
  showsTags: false,
  search: NO_SEARCH,
})

export const createChatsStore = (): ChatsStore => createStore<ChatsState>(() => NO_CHATS)

const byTime = (a: ChatListItem, b: ChatListItem): number =>
  b.updated_at - a.updated_at || b.created_at - a.created_at

/** Merges rows into a list by id; the later row wins. */
export function mergeChats(
  known: readonly ChatListItem[],
  arrived: readonly ChatListItem[],
): readonly ChatListItem[] {
  const rows = new Map(known.map((chat) => [chat.id, chat]))
  for (const chat of arrived) rows.set(chat.id, chat)
  return [...rows.values()].toSorted(byTime)
}

/**
 * Returns rows that were loaded before this window marked their chats as read, with those marks
 * applied. Only marking as unread moves the time back.
 */
export const withMarks = (
  state: ChatsState,
  rows: readonly ChatListItem[],
): readonly ChatListItem[] =>
  rows.map((row) => {
    const marked = selectChat(row.id)(state)?.last_read_at ?? null
    return marked !== null && row.last_read_at !== 0 && marked > (row.last_read_at ?? 0)
      ? { ...row, last_read_at: marked }
      : row
  })

const patched = (
  chats: readonly ChatListItem[],
  id: string,
  change: Partial<ChatListItem>,
): readonly ChatListItem[] =>
  chats.some((chat) => chat.id === id)
    ? chats.map((chat) => (chat.id === id ? { ...chat, ...change } : chat)).toSorted(byTime)
    : chats

/** Changes a chat wherever it is in the state. */
export const patchChat = (store: ChatsStore, id: string, change: Partial<ChatListItem>): void =>
  store.setState(({ chats, aside }) => ({
    chats: patched(chats, id, change),
    aside: patched(aside, id, change),
  }))

/** Returns the section in which a chat is rendered; each chat is in one section only. */
export const placeOf = (
  state: Pick<ChatsState, 'hasFolders'>,
  chat: ChatListItem,
): 'pinned' | 'folder' | 'loose' => {
  if (chat.pinned) return 'pinned'
  return state.hasFolders && chat.folder_id !== null ? 'folder' : 'loose'
}

/** Selects the chats directly in a folder, except pinned ones. */
export const selectFolderChats =
  (folderId: string) =>
  (state: ChatsState): readonly ChatListItem[] =>
    state.chats.filter((chat) => chat.folder_id === folderId && placeOf(state, chat) === 'folder')

/**
 * Selects the chats adjacent in the rendered order: those of one folder, or the pinned and unfiled
 * ones.
 */
const selectNeighbours = (state: ChatsState, folderId: string | null): readonly ChatListItem[] => {
  if (folderId !== null) return selectFolderChats(folderId)(state)
  const at = (place: string): ChatListItem[] =>
    state.chats.filter((chat) => placeOf(state, chat) === place)
  return [...at('pinned'), ...at('loose')]
}

/** Selects a loaded chat, regardless of whether it is in the list. */
export const selectChat =
  (id: string | null) =>
  (state: ChatsState): ChatListItem | null =>
    state.chats.find((chat) => chat.id === id) ?? state.aside.find((chat) => chat.id === id) ?? null

/**
 * Returns the chat above (-1) or below (1) another one in the rendered order; the first one if none
 * is given.
 */
export function neighbourOf(
  state: ChatsState,
  id: string | null,
  step: 1 | -1,
): ChatListItem | null {
  const chat = state.chats.find((each) => each.id === id)
  const chats = selectNeighbours(
    state,
    chat && placeOf(state, chat) === 'folder' ? chat.folder_id : null,
  )
  const index = chats.findIndex((each) => each.id === id)
  if (index === -1) return chats[0] ?? null
  return chats[index + step] ?? null
}

/** True if a chat has changed since the user last viewed it. */
export const isUnread = (chat: ChatListItem): boolean =>
  chat.last_read_at !== null && chat.updated_at > chat.last_read_at && !chat.active
