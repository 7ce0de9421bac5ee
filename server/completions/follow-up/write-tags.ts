import { askAboutThread, type BackgroundStep } from './background-step.ts'
import { readTags } from './kinds.ts'

/** Adds topic tags to a chat, in addition to its existing tags. */
export const writeTags: BackgroundStep = async (parts, work) => {
  const { chats, events } = parts
  const { userId, chatId, messageId } = work.turn
  const said = await askAboutThread(parts, 'tags', work)
  if (said === '' || (await chats.ownerOf(chatId)) !== userId) return
  await chats.setTags(chatId, [...(await chats.tagsOf(chatId)), ...readTags(said)])
  const data = { type: 'chat:tags', data: { tags: await chats.tagsOf(chatId) } } as const
  events.emit(userId, { chat_id: chatId, message_id: messageId, data })
}
