import type { ListReason } from '#contract/events.ts'
import { notFound } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import { requireChat, type ChatContext } from './chat-context.ts'
import { requireFolder } from './folders/require-folder.ts'
import { oldestInTrash } from './trash/trash-time.ts'
import { closeAnswers } from './answers/write-answer.ts'
import type { ChatRow } from './store.ts'

const STOPPED = { content: 'Stopped, because the chat was deleted.', code: 'stopped' }
const NEVER_ASKED = { content: 'Stopped.', code: 'stopped' }

async function closeWritten(context: ChatContext, chatId: string): Promise<void> {
  const unfinished = (await context.store.running()).filter((row) => row.chat_id === chatId)
  await closeAnswers(context, unfinished, STOPPED)
}

/** Stops the answers being written in a chat that is about to be deleted. */
export async function stopWriting(context: ChatContext, chatId: string): Promise<void> {
  await context.storage.transaction(() => closeWritten(context, chatId))
  for (const task of context.tasks.ofChat(chatId)) context.tasks.stop(task.id, 'deleted')
}

/**
 * Closes the answers of a chat, or that of one message, which a client announced with `done: false`
 * and never asked for, because windows wait for their text.
 */
export async function closeAnnounced(
  context: ChatContext,
  chatId: string,
  messageId?: string,
): Promise<void> {
  const { storage, store, announce } = context
  const chat = await store.chat(chatId)
  if (!chat) return
  const closed = await storage.transaction(async () => {
    const waiting = (await store.announced(chatId)).filter(
      ({ id }) => messageId === undefined || id === messageId,
    )
    await closeAnswers(context, waiting, NEVER_ASKED)
    return waiting
  })
  for (const row of closed) announce.answerClosed(chat, row, NEVER_ASKED)
}

/** Moves a chat to the trash and stops the answers being written in it. */
export async function trashChat(
  context: ChatContext,
  userId: string,
  chatId: string,
): Promise<void> {
  const { storage, store, tasks, announce } = context
  const chat = await requireChat(context, userId, chatId)
  await storage.transaction(async () => {
    await closeWritten(context, chatId)
    await store.updateChat(chatId, { deleted_at: nowSeconds() })
  })
  for (const task of tasks.ofChat(chatId)) tasks.stop(task.id, 'deleted')
  announce.listChanged(chat, 'deleted')
}

/** Restores a chat from the trash; does nothing if it is not there. */
export async function restoreChat(
  context: ChatContext,
  userId: string,
  chatId: string,
): Promise<ChatRow> {
  const { chat, isRestored } = await context.storage.transaction(() =>
    takeOutOfTrash(context, userId, chatId),
  )
  if (isRestored) context.announce.listChanged(chat, 'restored')
  return chat
}

/** Must be called within a transaction, because its folder may be deleted meanwhile. */
async function takeOutOfTrash(
  { store, folders }: ChatContext,
  userId: string,
  chatId: string,
): Promise<{ chat: ChatRow; isRestored: boolean }> {
  const chat = await store.chat(chatId)
  const deletedAt = chat?.deleted_at ?? null
  if (!chat || chat.user_id !== userId || (deletedAt !== null && deletedAt < oldestInTrash())) {
    throw notFound('This chat does not exist, or it was deleted permanently.')
  }
  if (deletedAt === null) return { chat, isRestored: false }
  const isFolderGone = chat.folder_id !== null && !(await folders.get(chat.folder_id))
  const changes = { deleted_at: null, folder_id: isFolderGone ? null : chat.folder_id }
  await store.updateChat(chatId, changes)
  return { chat: { ...chat, ...changes }, isRestored: true }
}

/**
 * Changes a chat as `toChanges` finds it in the same transaction: another tab may be changing it,
 * or deleting the folder it is moved to.
 */
async function change(
  context: ChatContext,
  userId: string,
  chatId: string,
  {
    reason,
    toChanges,
  }: {
    reason: ListReason
    toChanges: (chat: ChatRow) => Partial<ChatRow> | Promise<Partial<ChatRow>>
  },
): Promise<ChatRow> {
  const { chat, changes } = await context.storage.transaction(async () => {
    const before = await requireChat(context, userId, chatId)
    const made = await toChanges(before)
    await context.store.updateChat(chatId, made)
    return { chat: before, changes: made }
  })
  context.announce.listChanged(chat, reason)
  return { ...chat, ...changes }
}

export function togglePin(context: ChatContext, userId: string, chatId: string): Promise<ChatRow> {
  return change(context, userId, chatId, {
    reason: 'pinned',
    toChanges: ({ pinned }) => ({ pinned: pinned === 1 ? 0 : 1 }),
  })
}

/** Moves a chat to the archive, out of its folder, or back. */
export function toggleArchive(
  context: ChatContext,
  userId: string,
  chatId: string,
): Promise<ChatRow> {
  return change(context, userId, chatId, {
    reason: 'archived',
    toChanges: ({ archived }) =>
      archived === 1 ? { archived: 0 } : { archived: 1, folder_id: null },
  })
}

/** Moves a chat to a folder of the same user; null removes it from its folder. */
export function moveChat(
  context: ChatContext,
  userId: string,
  place: { chatId: string; folderId: string | null },
): Promise<ChatRow> {
  return change(context, userId, place.chatId, {
    reason: 'moved',
    async toChanges() {
      if (place.folderId !== null) await requireFolder(context, userId, place.folderId)
      return { folder_id: place.folderId }
    },
  })
}

/** Marks a chat as read now, or as unread. */
export function markRead(
  context: ChatContext,
  userId: string,
  { chatId, isRead }: { chatId: string; isRead: boolean },
): Promise<ChatRow> {
  return change(context, userId, chatId, {
    reason: 'read',
    toChanges: () => ({ last_read_at: isRead ? nowSeconds() : 0 }),
  })
}
