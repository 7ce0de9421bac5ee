import type { ChatListItem } from '#contract/chats.ts'
import { call, endpoints } from '../../api/client.ts'
import { mergeChats, patchChat, type ChatsStore } from './chats-store.ts'

/** Gives a chat a new title at once; the old one returns when the gateway refuses. */
export async function renameChat(store: ChatsStore, chat: ChatListItem, title: string): Promise<void> {
  store.setState({ renamingId: null })
  const wanted = title.trim()
  if (!wanted || wanted === chat.title) return
  patchChat(store, chat.id, { title: wanted })
  try {
    await call(endpoints.chats.update, { params: { chat_id: chat.id }, query: { reply: 'minimal' }, body: { chat: { title: wanted } } })
  } catch (thrown) {
    patchChat(store, chat.id, { title: chat.title })
    throw thrown
  }
}

/** Pins a chat or unpins it. */
export async function togglePin(store: ChatsStore, chat: ChatListItem): Promise<void> {
  patchChat(store, chat.id, { pinned: !chat.pinned })
  try {
    const changed = await call(endpoints.chats.pin, { params: { chat_id: chat.id } })
    patchChat(store, chat.id, { pinned: changed.pinned })
  } catch (thrown) {
    patchChat(store, chat.id, { pinned: chat.pinned })
    throw thrown
  }
}

const mark = (store: ChatsStore, id: string, leaving: boolean): void =>
  store.setState((state) => {
    const ids = new Set(state.leaving)
    if (leaving) ids.add(id)
    else ids.delete(id)
    return { leaving: ids }
  })

const putBack = (store: ChatsStore, chat: ChatListItem): void => {
  mark(store, chat.id, false)
  store.setState(({ chats }) => ({ chats: mergeChats(chats, [chat]) }))
}

/** Moves a chat to the trash. */
export async function deleteChat(store: ChatsStore, chat: ChatListItem): Promise<void> {
  mark(store, chat.id, true)
  store.setState(({ chats, search }) => ({
    chats: chats.filter((each) => each.id !== chat.id),
    search: { ...search, hits: search.hits.filter((hit) => hit.id !== chat.id) },
  }))
  try {
    await call(endpoints.chats.remove, { params: { chat_id: chat.id } })
  } catch (thrown) {
    putBack(store, chat)
    throw thrown
  }
}

/** Takes a chat out of the trash again. */
export async function restoreChat(store: ChatsStore, id: string): Promise<void> {
  putBack(store, await call(endpoints.chats.restore, { params: { chat_id: id } }))
}
