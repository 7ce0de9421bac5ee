import type { ChatContext } from '../chat-context.ts'
import { stopWriting } from '../change-chat.ts'

async function* repeat(change: () => Promise<boolean>): AsyncGenerator<void, void> {
  while (await change()) yield
}

/** Changes all chats of a user, a limited number in each step. */
export async function* archiveAll(
  { lists, announce }: ChatContext,
  userId: string,
): AsyncGenerator<void, true> {
  yield* repeat(() => lists.archiveSome(userId))
  announce.allChanged(userId, 'archived')
  return true
}

export async function* unarchiveAll(
  { lists, announce }: ChatContext,
  userId: string,
): AsyncGenerator<void, true> {
  yield* repeat(() => lists.unarchiveSome(userId))
  announce.allChanged(userId, 'archived')
  return true
}

export async function* trashAll(context: ChatContext, userId: string): AsyncGenerator<void, true> {
  const { lists, store, announce } = context
  const written = new Set((await store.running()).map((row) => row.chat_id))
  for (const chatId of written)
    if ((await store.chat(chatId))?.user_id === userId) await stopWriting(context, chatId)
  yield* repeat(() => lists.trashSome(userId))
  announce.allChanged(userId, 'deleted')
  return true
}
