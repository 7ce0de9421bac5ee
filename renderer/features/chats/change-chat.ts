import type { Chat, ChatListItem } from '#contract/chats.ts'
import { call, endpoints } from '../../api/client.ts'
import { mergeChats, patchChat, selectChat, type ChatsStore } from './chats-store.ts'

/** Requests the chat's list entry instead of the whole chat. */
const MINIMAL = { query: { reply: 'minimal' } } as const

/** Returns the response to `reply=minimal`. */
const toItem = (reply: Chat | ChatListItem): ChatListItem => reply as ChatListItem

interface Change {
  /** Optimistic change shown immediately. */
  readonly patch: Partial<ChatListItem>
  readonly send: () => Promise<Partial<ChatListItem>>
}

/** Shows a change immediately; restores the old values if the gateway refuses. */
async function change(
  store: ChatsStore,
  chat: ChatListItem,
  { patch, send }: Change,
): Promise<void> {
  patchChat(store, chat.id, patch)
  try {
    patchChat(store, chat.id, await send())
  } catch (thrown) {
    const before = Object.fromEntries(
      Object.keys(patch).map((name) => [name, chat[name as keyof ChatListItem]]),
    )
    patchChat(store, chat.id, before)
    throw thrown
  }
}

/** Renames a chat. */
export async function renameChat(
  store: ChatsStore,
  chat: ChatListItem,
  title: string,
): Promise<void> {
  store.setState({ renamingId: null })
  const wanted = title.trim()
  if (!wanted || wanted === chat.title) return
  const send = async (): Promise<Partial<ChatListItem>> => {
    await call(endpoints.chats.update, {
      params: { chat_id: chat.id },
      query: { reply: 'minimal' },
      body: { chat: { title: wanted } },
    })
    return {}
  }
  await change(store, chat, { patch: { title: wanted }, send })
}

/** Pins a chat or unpins it. */
export async function togglePin(store: ChatsStore, chat: ChatListItem): Promise<void> {
  const send = async (): Promise<Partial<ChatListItem>> => {
    const { pinned } = toItem(
      await call(endpoints.chats.pin, { params: { chat_id: chat.id }, ...MINIMAL }),
    )
    return { pinned }
  }
  await change(store, chat, { patch: { pinned: !chat.pinned }, send })
  const changed = selectChat(chat.id)(store.getState())
  // A pinned chat is part of the list, regardless of where it was before.
  if (changed?.pinned && !changed.archived)
    store.setState(({ chats }) => ({ chats: mergeChats(chats, [changed]) }))
}

/** Moves a chat to a folder, or out of any folder with null. */
export async function moveChat(
  store: ChatsStore,
  chat: ChatListItem,
  folderId: string | null,
): Promise<void> {
  if (chat.folder_id === folderId) return
  const send = async (): Promise<Partial<ChatListItem>> =>
    toItem(
      await call(endpoints.chats.move, {
        params: { chat_id: chat.id },
        ...MINIMAL,
        body: { folder_id: folderId },
      }),
    )
  await change(store, chat, { patch: { folder_id: folderId }, send })
}

/** Adds a tag to a chat. */
export async function addTag(store: ChatsStore, chat: ChatListItem, name: string): Promise<void> {
  const send = async (): Promise<Partial<ChatListItem>> => {
    const tags = await call(endpoints.chats.addTag, {
      params: { chat_id: chat.id },
      body: { name },
    })
    return { tags: tags.map((tag) => tag.name) }
  }
  await change(store, chat, { patch: { tags: [...chat.tags, name] }, send })
}

/** Removes a tag from a chat. */
export async function removeTag(
  store: ChatsStore,
  chat: ChatListItem,
  name: string,
): Promise<void> {
  const send = async (): Promise<Partial<ChatListItem>> => {
    const tags = await call(endpoints.chats.removeTag, {
      params: { chat_id: chat.id },
      body: { name },
    })
    return { tags: tags.map((tag) => tag.name) }
  }
  await change(store, chat, { patch: { tags: chat.tags.filter((tag) => tag !== name) }, send })
}

/** Marks a chat as read; adds it to the list if unknown. */
export async function markRead(store: ChatsStore, id: string): Promise<void> {
  const chat = await call(endpoints.chats.read, { params: { chat_id: id } })
  if (store.getState().chats.some((each) => each.id === id))
    patchChat(store, id, { last_read_at: chat.last_read_at })
  else store.setState(({ aside }) => ({ aside: mergeChats(aside, [chat]) }))
}

/** Marks a chat as unread. */
export async function markUnread(store: ChatsStore, chat: ChatListItem): Promise<void> {
  const send = async (): Promise<Partial<ChatListItem>> => {
    const { last_read_at } = await call(endpoints.chats.unread, { params: { chat_id: chat.id } })
    return { last_read_at }
  }
  await change(store, chat, { patch: { last_read_at: 0 }, send })
}

/** Copies a chat with all its branches. */
export async function cloneChat(
  store: ChatsStore,
  chat: ChatListItem,
  title: string,
): Promise<ChatListItem> {
  const copy = toItem(
    await call(endpoints.chats.clone, {
      params: { chat_id: chat.id },
      ...MINIMAL,
      body: { title },
    }),
  )
  store.setState(({ chats }) => ({ chats: mergeChats(chats, [copy]) }))
  return copy
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
  store.setState(({ chats, aside }) => ({
    chats: mergeChats(chats, [chat]),
    aside: aside.filter((each) => each.id !== chat.id),
  }))
}

/** Removes a chat from the list immediately, and restores it if the gateway refuses. */
async function leave(
  store: ChatsStore,
  chat: ChatListItem,
  send: () => Promise<unknown>,
): Promise<void> {
  const wasListed = store.getState().chats.some((each) => each.id === chat.id)
  mark(store, chat.id, true)
  store.setState(({ chats, search }) => ({
    chats: chats.filter((each) => each.id !== chat.id),
    search: { ...search, hits: search.hits.filter((hit) => hit.id !== chat.id) },
  }))
  try {
    await send()
  } catch (thrown) {
    if (wasListed) putBack(store, chat)
    else mark(store, chat.id, false)
    throw thrown
  }
}

/** Moves a chat to the trash. */
export async function deleteChat(store: ChatsStore, chat: ChatListItem): Promise<void> {
  await leave(store, chat, () => call(endpoints.chats.remove, { params: { chat_id: chat.id } }))
}

/** Restores a chat from the trash. */
export async function restoreChat(store: ChatsStore, id: string): Promise<void> {
  const chat = await call(endpoints.chats.restore, { params: { chat_id: id } })
  if (chat.archived) mark(store, id, false)
  else putBack(store, chat)
}

/** Archives a chat, which removes it from the list. */
export async function archiveChat(store: ChatsStore, chat: ChatListItem): Promise<void> {
  await leave(store, chat, () =>
    call(endpoints.chats.archive, { params: { chat_id: chat.id }, ...MINIMAL }),
  )
  store.setState(({ aside }) => ({
    aside: mergeChats(aside, [{ ...chat, archived: true, folder_id: null }]),
  }))
}

/** Unarchives a chat, restoring it to its folder if that is known. */
export async function unarchiveChat(
  store: ChatsStore,
  chat: ChatListItem,
  folderId: string | null = null,
): Promise<void> {
  putBack(
    store,
    toItem(await call(endpoints.chats.archive, { params: { chat_id: chat.id }, ...MINIMAL })),
  )
  const back = selectChat(chat.id)(store.getState())
  if (back && folderId !== null) await moveChat(store, back, folderId)
}
