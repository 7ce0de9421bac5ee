import type { Webhooks } from '../webhooks/index.ts'
import type { Chats } from './chats.ts'

/**
 * Chats for those who make and take back some by themselves, as answers do, of which addresses
 * outside are told as well.
 */
export function tellOfChats(chats: Chats, { events }: Pick<Webhooks, 'events'>): Chats {
  const told: Pick<Chats, 'create' | 'remove'> = {
    create: async (userId, ...given) => {
      const chat = await chats.create(userId, ...given)
      await events.tellOf('chat.created', userId, { subject: { id: chat.id } })
      return chat
    },
    remove: async (userId, chatId) => {
      await chats.remove(userId, chatId)
      await events.tellOf('chat.deleted', userId, { subject: { id: chatId } })
    },
  }
  // Everything else is done by the chats themselves.
  return Object.setPrototypeOf(told, chats) as Chats
}
