import type { ChatContext } from '../chat-context.ts'
import { stopWriting } from '../change-chat.ts'

function* repeat(change: () => boolean): Generator<void, void> {
  while (change()) yield
}

/** Changes to all chats of a person, a bounded number of them in each step. */
export function* archiveAll(
  { lists, announce }: ChatContext,
  userId: string,
): Generator<void, true> {
  yield* repeat(() => lists.archiveSome(userId))
  announce.allChanged(userId, 'archived')
  return true
}

export function* unarchiveAll(
  { lists, announce }: ChatContext,
  userId: string,
): Generator<void, true> {
  yield* repeat(() => lists.unarchiveSome(userId))
  announce.allChanged(userId, 'archived')
  return true
}

export function* trashAll(context: ChatContext, userId: string): Generator<void, true> {
  const { lists, store, announce } = context
  const written = new Set(store.running().map((row) => row.chat_id))
  for (const chatId of written)
    if (store.chat(chatId)?.user_id === userId) stopWriting(context, chatId)
  yield* repeat(() => lists.trashSome(userId))
  announce.allChanged(userId, 'deleted')
  return true
}
