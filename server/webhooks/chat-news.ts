import type { Webhooks } from './webhooks.ts'

/**
 * Sends events for chats that no user created directly, such as those that questions create for
 * themselves.
 */
export const createChatNews = ({ events }: Webhooks) => ({
  created: (userId: string, chatId: string) =>
    events.tellOf('chat.created', userId, { subject: { id: chatId } }),
  removed: (userId: string, chatId: string) =>
    events.tellOf('chat.deleted', userId, { subject: { id: chatId } }),
})
