import type { Chat } from '#contract/chats.ts'
import { useOwnerAndOther } from './use-owner-and-other.ts'

/** A question with two answers, of which the second one is followed up. */
const MESSAGES = {
  q1: {
    role: 'user',
    content: 'Where to?',
    childrenIds: ['a1', 'a2'],
    parentId: null,
    timestamp: 10,
  },
  a1: {
    role: 'assistant',
    content: 'To Oslo.',
    model: 'm',
    childrenIds: [],
    parentId: 'q1',
    timestamp: 11,
    usage: { completion_tokens: 3 },
  },
  a2: {
    role: 'assistant',
    content: 'To Rome.',
    model: 'm',
    childrenIds: ['q2'],
    parentId: 'q1',
    timestamp: 12,
  },
  q2: { role: 'user', content: 'How far?', childrenIds: [], parentId: 'a2', timestamp: 13 },
}
/** Starts a gateway with an owner whose chats about a journey have two branches. */
export function useTravelChats() {
  const people = useOwnerAndOther()
  const { call } = people
  return {
    ...people,
    create: async (
      title = 'Travel',
      extra: object = {},
      folder_id: string | null = null,
    ): Promise<string> => {
      const history = { currentId: 'q2', messages: MESSAGES }
      const chat = { title, models: ['m'], history, ...extra }
      return (await call<Chat>('POST', '/chats/new', { chat, folder_id })).body.id
    },
    get: async (id: string): Promise<Chat> => (await call<Chat>('GET', `/chats/${id}`)).body,
  }
}
