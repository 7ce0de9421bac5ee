import { nowSeconds } from '../../lib/ids.ts'
import { stopWriting } from '../change-chat.ts'
import type { ChatContext } from '../chat-context.ts'

/** Moves several chats of a user to the trash, one in each step; returns their number. */
export async function* trashChats(
  context: ChatContext,
  userId: string,
  chatIds: readonly string[],
): AsyncGenerator<void, { moved: number }> {
  const { store, announce } = context
  let moved = 0
  for (const chatId of new Set(chatIds)) {
    const chat = await store.chat(chatId)
    if (!chat || chat.user_id !== userId || chat.deleted_at !== null) continue
    await stopWriting(context, chatId)
    await store.updateChat(chatId, { deleted_at: nowSeconds() })
    moved += 1
    yield
  }
  if (moved > 0) announce.allChanged(userId, 'deleted')
  return { moved }
}
