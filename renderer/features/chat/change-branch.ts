import type { Message } from '#contract/chats.ts'
import type { ChatDeps } from './chat-deps.ts'
import type { ChatStore } from './chat-store.ts'
import { rereadChat } from './load-chat.ts'
import { stopBeginning } from './run-answer.ts'

/** Shows the branch through a sibling and remembers it as the chat's active one. */
export async function switchBranch(store: ChatStore, { api }: Pick<ChatDeps, 'api'>, siblingId: string): Promise<void> {
  await rereadChat(store, { api }, siblingId)
  const { chatId, order } = store.getState()
  if (chatId !== null) await api.update(chatId, { history: { currentId: order.at(-1) ?? null } })
}

/** How many messages go when one is deleted: itself and everything below it, on every branch. */
export function countBelow(messages: Readonly<Record<string, Message>>, messageId: string): number {
  const children = new Map<string, string[]>()
  for (const message of Object.values(messages)) {
    if (message.parentId) children.set(message.parentId, [...(children.get(message.parentId) ?? []), message.id])
  }
  const seen = new Set<string>()
  const open = [messageId]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    open.push(...(children.get(id) ?? []))
  }
  return seen.size
}

/** Counts for the question before a deletion. */
export async function countDeleted(store: ChatStore, { api }: Pick<ChatDeps, 'api'>, messageId: string): Promise<number> {
  const { chatId } = store.getState()
  if (chatId === null) return 0
  const chat = await api.whole(chatId)
  return countBelow(chat.chat.history.messages, messageId)
}

/** Deletes a message with what follows it; branches beside it stay and the newest of them is shown. */
export async function deleteMessage(store: ChatStore, { api }: Pick<ChatDeps, 'api'>, messageId: string): Promise<void> {
  const { chatId } = store.getState()
  if (chatId === null) return
  await api.removeMessage(chatId, messageId)
  await rereadChat(store, { api })
}

/** Stops the answer, also one that is only about to begin; its text so far stays. */
export async function stopAnswer(store: ChatStore, { api }: Pick<ChatDeps, 'api'>): Promise<void> {
  stopBeginning(store)
  const { chatId } = store.getState()
  if (chatId !== null) await api.stop(chatId)
}
