import type { ServerFrame } from '#contract/events.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { mergeChats, PAGE_SIZE, patchChat, type ChatsStore } from './chats-store.ts'

/** Fetches the first page and all pinned chats. Rows of later pages that are already here stay. */
export async function loadChats(store: ChatsStore): Promise<void> {
  try {
    const [page, pinned] = await Promise.all([call(endpoints.chats.list, { query: { page: 1 } }), call(endpoints.chats.pinned, {})])
    const { leaving, pagesLoaded, chats, hasMore } = store.getState()
    const arrived = [...page, ...pinned].filter((chat) => !leaving.has(chat.id))
    const complete = page.length < PAGE_SIZE
    // A complete list is the truth; of a longer one only the first stretch is known to be fresh.
    const oldest = complete ? -Infinity : (page.at(-1)?.updated_at ?? -Infinity)
    const kept = complete ? [] : chats.filter((chat) => !chat.pinned && chat.updated_at < oldest)
    store.setState({
      chats: mergeChats(kept, arrived),
      status: 'ready',
      problem: null,
      pagesLoaded: Math.max(1, pagesLoaded),
      hasMore: pagesLoaded > 1 ? hasMore && !complete : !complete,
    })
  } catch (thrown) {
    store.setState(({ status }) => ({ status: status === 'ready' ? 'ready' : 'failed', problem: toSentence(thrown) }))
  }
}

const loading = new WeakSet<ChatsStore>()

/** Fetches the next page, once at a time. */
export async function loadMoreChats(store: ChatsStore): Promise<void> {
  const { hasMore, pagesLoaded } = store.getState()
  if (!hasMore || loading.has(store)) return
  loading.add(store)
  try {
    const page = await call(endpoints.chats.list, { query: { page: pagesLoaded + 1 } })
    store.setState(({ chats, leaving }) => ({
      chats: mergeChats(
        chats,
        page.filter((chat) => !leaving.has(chat.id)),
      ),
      pagesLoaded: pagesLoaded + 1,
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

/** Several hints in a row cost one fetch. */
function reloadSoon(store: ChatsStore): void {
  clearTimeout(reloads.get(store))
  reloads.set(
    store,
    setTimeout(() => void loadChats(store), RELOAD_AFTER),
  )
}

/** Follows what other windows, scripts and the gateway itself do to the list. */
export function applyChatsFrame(store: ChatsStore, frame: ServerFrame): void {
  if (frame.type !== 'events' || frame.chat_id === null) return
  const { type, data } = frame.data
  const fields = (data ?? {}) as { title?: unknown; active?: unknown }
  if (type === 'chat:title') {
    const title = typeof data === 'string' ? data : fields.title
    if (typeof title === 'string') patchChat(store, frame.chat_id, { title })
  } else if (type === 'chat:active') {
    if (store.getState().chats.some((chat) => chat.id === frame.chat_id)) {
      patchChat(store, frame.chat_id, { active: fields.active === true })
    } else reloadSoon(store)
  } else if (type === 'chat:list') reloadSoon(store)
}
