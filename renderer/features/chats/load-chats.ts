import type { ChatListItem } from '#contract/chats.ts'
import type { ListReason, ServerFrame } from '#contract/events.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import {
  type ChatsState,
  mergeChats,
  PAGE_SIZE,
  patchChat,
  placeOf,
  type ChatsStore,
  withMarks,
} from './chats-store.ts'
import { loadFolderChats } from './load-folder-chats.ts'

const readPage = (store: ChatsStore, page: number): Promise<ChatListItem[]> =>
  call(endpoints.chats.list, {
    query: { page, ...(!store.getState().hasFolders && { include_folders: true }) },
  })

/** Returns the known rows that a newly loaded first page does not cover. */
function keptBeside(state: ChatsState, page: readonly ChatListItem[]): readonly ChatListItem[] {
  // A complete list is authoritative; of a longer one only the first page is known to be current.
  const oldest = page.length < PAGE_SIZE ? -Infinity : (page.at(-1)?.updated_at ?? -Infinity)
  return state.chats.filter((chat) => {
    const place = placeOf(state, chat)
    return place === 'folder' || (place === 'loose' && chat.updated_at < oldest)
  })
}

/** Number of loads of the list in progress. */
const readings = new WeakMap<ChatsStore, number>()

function countReading(store: ChatsStore, change: 1 | -1): void {
  readings.set(store, (readings.get(store) ?? 0) + change)
}

/**
 * Loads the first page and all pinned chats, and reloads opened folders. Rows of later pages
 * already loaded are kept.
 */
export async function loadChats(store: ChatsStore): Promise<void> {
  countReading(store, 1)
  try {
    const opened = Object.keys(store.getState().folders)
    const [page, pinned] = await Promise.all([
      readPage(store, 1),
      call(endpoints.chats.pinned, {}),
      ...opened.map((folderId) => loadFolderChats(store, folderId)),
    ])
    const state = store.getState()
    const complete = page.length < PAGE_SIZE
    store.setState({
      chats: mergeChats(
        keptBeside(state, page),
        withMarks(state, [...page, ...pinned]).filter((chat) => !state.leaving.has(chat.id)),
      ),
      status: 'ready',
      problem: null,
      pagesLoaded: Math.max(1, state.pagesLoaded),
      hasMore: state.pagesLoaded > 1 ? state.hasMore && !complete : !complete,
    })
  } catch (thrown) {
    store.setState(({ status }) => ({
      status: status === 'ready' ? 'ready' : 'failed',
      problem: toSentence(thrown),
    }))
  } finally {
    countReading(store, -1)
  }
}

const loading = new WeakSet<ChatsStore>()

/**
 * Returns the next page to load: later chats have moved up by the number of those deleted or moved
 * elsewhere.
 */
function nextPage(state: ChatsState): number {
  const known = state.chats.filter((chat) => placeOf(state, chat) === 'loose').length
  return Math.min(state.pagesLoaded, Math.floor(known / PAGE_SIZE)) + 1
}

/** Loads the next page, one at a time. */
export async function loadMoreChats(store: ChatsStore): Promise<void> {
  const { hasMore, pagesLoaded } = store.getState()
  if (!hasMore || loading.has(store)) return
  loading.add(store)
  try {
    const number = nextPage(store.getState())
    const page = await readPage(store, number)
    store.setState((state) => ({
      chats: mergeChats(
        state.chats,
        withMarks(state, page).filter((chat) => !state.leaving.has(chat.id)),
      ),
      pagesLoaded: Math.max(pagesLoaded, number),
      hasMore: page.length === PAGE_SIZE,
      problem: null,
    }))
  } catch (thrown) {
    store.setState({ problem: toSentence(thrown) })
  } finally {
    loading.delete(store)
  }
}

const RELOAD_AFTER = 150
const reloads = new WeakMap<ChatsStore, ReturnType<typeof setTimeout>>()

/** Combines several hints in a row into one reload. */
function reloadSoon(store: ChatsStore): void {
  clearTimeout(reloads.get(store))
  reloads.set(
    store,
    setTimeout(() => void loadChats(store), RELOAD_AFTER),
  )
}

/** Changes a row. A list that is being read may be older than the change and would undo it. */
function patchRow(store: ChatsStore, id: string, patch: Partial<ChatListItem>): void {
  patchChat(store, id, patch)
  if (readings.get(store)) reloadSoon(store)
}

/**
 * True if a hint contains something this window does not know: it has already recorded itself which
 * chats were viewed here.
 */
const isNews = (reason: ListReason): boolean => reason !== 'read' || !document.hasFocus()

/** Applies changes to the list made by other windows, scripts and the gateway itself. */
export function applyChatsFrame(store: ChatsStore, frame: ServerFrame): void {
  if (frame.type !== 'events') return
  const { data } = frame
  if (data.type === 'chat:list' || data.type === 'chat:tags') {
    if (data.type === 'chat:tags' || isNews(data.data.reason)) reloadSoon(store)
  } else if (frame.chat_id === null) {
    return
  } else if (data.type === 'chat:title') {
    const title = typeof data.data === 'string' ? data.data : data.data.title
    patchRow(store, frame.chat_id, { title })
  } else if (data.type === 'chat:active') {
    const { active, updated_at } = data.data
    patchRow(store, frame.chat_id, { active, ...(updated_at !== undefined && { updated_at }) })
    if (!store.getState().chats.some((chat) => chat.id === frame.chat_id)) reloadSoon(store)
  }
}
