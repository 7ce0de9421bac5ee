import { askAboutThread, type BackgroundStep } from './background-step.ts'
import { readFollowUps } from './kinds.ts'

/** Generates follow-up questions and stores them with the answer. */
export const writeFollowUps: BackgroundStep = async (parts, work) => {
  const { chats, events, tasks } = parts
  const { userId, chatId, messageId } = work.turn
  const followUps = readFollowUps(await askAboutThread(parts, 'follow_up', work))
  if (followUps.length === 0 || (await chats.ownerOf(chatId)) !== userId) return
  // An answer that is being regenerated will get its own follow-up questions.
  if (tasks.ofChat(chatId).some((task) => task.messageId === messageId)) return
  if (!(await chats.saveAnswer(chatId, messageId, { followUps }))) return
  const data = { type: 'chat:message:follow_ups', data: { follow_ups: followUps } } as const
  events.emit(userId, { chat_id: chatId, message_id: messageId, data })
}
