import { conflict } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import { requireFit } from '../lib/record-bounds.ts'
import { requireChat, requireMessage, type ChatContext } from './chat-context.ts'
import type { ChatRow, ChatStore, MessageRow } from './store.ts'

/** Replaces the text of a message. */
export function replaceContent(
  context: ChatContext,
  userId: string,
  place: { chatId: string; messageId: string; content: string },
): ChatRow {
  const { storage, store, search, announce } = context
  requireFit(place.content, 'The message', context.recordBounds())
  const saved = storage.transaction(() => {
    const chat = requireChat(context, userId, place.chatId)
    const row = requireMessage(context, chat.id, place.messageId)
    if (row.running === 1) throw conflict('This answer is still being written. Stop it first, then edit it.')
    const changed = { ...row, content: place.content, parts: null }
    store.updateMessage(changed)
    search.indexMessage(changed, userId)
    store.touchChat(chat.id, nowSeconds(), chat.current_id)
    return { ...chat, updated_at: nowSeconds() }
  })
  announce.contentReplaced(saved, place.messageId, place.content)
  return saved
}

/** Where a chat stands after a message and what follows it are gone: the nearest branch beside it, else its parent. */
function findNextCurrent(store: ChatStore, removed: MessageRow): string | null {
  const { chat_id: chatId, parent_id: parentId } = removed
  const family = parentId === null ? store.roots(chatId) : store.children(chatId, [parentId])
  const place = family.findIndex((link) => link.id === removed.id)
  const beside = family[place - 1] ?? family[place + 1]
  return beside ? store.newestLeaf(chatId, beside.id) : parentId
}

/** Removes a message and everything that follows it; branches beside it stay. */
export function removeMessage(context: ChatContext, userId: string, place: { chatId: string; messageId: string }): ChatRow {
  const { storage, store, tasks, announce } = context
  const { chat, removedIds } = storage.transaction(() => {
    const before = requireChat(context, userId, place.chatId)
    const row = requireMessage(context, before.id, place.messageId)
    const removed = store.descendants(before.id, row.id)
    const ids = new Set(removed.map((link) => link.id))
    const isCurrentGone = before.current_id === null || ids.has(before.current_id)
    const currentId = isCurrentGone ? findNextCurrent(store, row) : before.current_id
    for (const link of removed) store.deleteMessage(before.id, link)
    store.forgetExpectations(before.id)
    store.touchChat(before.id, nowSeconds(), currentId)
    return { chat: { ...before, current_id: currentId, updated_at: nowSeconds() }, removedIds: ids }
  })
  for (const task of tasks.ofChat(chat.id)) if (task.messageId !== null && removedIds.has(task.messageId)) tasks.stop(task.id, 'deleted')
  announce.listChanged(chat, 'updated')
  return chat
}
