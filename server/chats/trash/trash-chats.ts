import { nowSeconds } from '../../lib/ids.ts'
import { stopWriting } from '../change-chat.ts'
import type { ChatContext } from '../chat-context.ts'

/** Moves several chats of a person to the trash, one in each step; says how many there were. */
export function* trashChats(
  context: ChatContext,
  userId: string,
  chatIds: readonly string[],
): Generator<void, { moved: number }> {
  const { store, announce } = context
  let moved = 0
  for (const chatId of new Set(chatIds)) {
    const chat = store.chat(chatId)
    if (!chat || chat.user_id !== userId || chat.deleted_at !== null) continue
    stopWriting(context, chatId)
    store.updateChat(chatId, { deleted_at: nowSeconds() })
    moved += 1
    yield
  }
  if (moved > 0) announce.allChanged(userId, 'deleted')
  return { moved }
}
