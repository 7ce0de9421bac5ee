import type { Webhooks } from './webhooks.ts'

/** Tells of chats nobody called for, as those that questions make for themselves. */
export const createChatNews = ({ events }: Pick<Webhooks, 'events'>) => ({
  created: (userId: string, chatId: string) =>
    events.tellOf('chat.created', userId, { subject: { id: chatId } }),
  removed: (userId: string, chatId: string) =>
    events.tellOf('chat.deleted', userId, { subject: { id: chatId } }),
})
