import { notFound } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import { requireChat, type ChatContext } from './chat-context.ts'
import { closeAnswers } from './write-answer.ts'
import type { ChatRow } from './store.ts'

/** Days a chat stays in the trash. */
const TRASH_DAYS = 30
const SECONDS_PER_DAY = 86_400
const STOPPED = { content: 'Stopped, because the chat was deleted.', code: 'stopped' }
/** Messages deleted in one transaction, so that a purge never holds up a request for long. */
const PURGE_BATCH = 500

/** Moves a chat to the trash and stops what is being written in it. */
export function trashChat(context: ChatContext, userId: string, chatId: string): void {
  const { storage, store, tasks, announce } = context
  const chat = requireChat(context, userId, chatId)
  storage.transaction(() => {
    const unfinished = store.running().filter((row) => row.chat_id === chatId)
    closeAnswers(context, unfinished, STOPPED)
    store.updateChat(chatId, { deleted_at: nowSeconds() })
  })
  for (const task of tasks.ofChat(chatId)) tasks.stop(task.id, 'deleted')
  announce.listChanged(chat, 'deleted')
}

/** Takes a chat back out of the trash; one that is not in it stays as it is. */
export function restoreChat({ store, announce }: ChatContext, userId: string, chatId: string): ChatRow {
  const chat = store.chat(chatId)
  if (!chat || chat.user_id !== userId) throw notFound('This chat does not exist, or its days in the trash are over.')
  if (chat.deleted_at === null) return chat
  store.updateChat(chatId, { deleted_at: null })
  announce.listChanged(chat, 'restored')
  return { ...chat, deleted_at: null }
}

export function togglePin(context: ChatContext, userId: string, chatId: string): ChatRow {
  const chat = requireChat(context, userId, chatId)
  const pinned = chat.pinned === 1 ? 0 : 1
  context.store.updateChat(chatId, { pinned })
  context.announce.listChanged(chat, 'pinned')
  return { ...chat, pinned }
}

/** Deletes a bounded part of what has been in the trash for its whole time; true while there is more. */
export function purgeTrash({ storage, store }: ChatContext): boolean {
  const [chatId] = store.trashedBefore(nowSeconds() - TRASH_DAYS * SECONDS_PER_DAY, 1)
  if (chatId === undefined) return false
  storage.transaction(() => {
    if (store.deleteSomeMessages(chatId, PURGE_BATCH) < PURGE_BATCH) store.deleteChat(chatId)
  })
  return true
}
