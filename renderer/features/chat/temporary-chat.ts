import type { Message } from '#contract/chats.ts'
import { cutTitle } from '#contract/short-title.ts'
import { toWire } from './sending/build-turn.ts'
import type { ChatDeps } from './chat-deps.ts'
import { type ChatMessage, type ChatState, type ChatStore } from './chat-store.ts'

type Messages = Readonly<Record<string, ChatMessage>>

/** Returns the ids below each message, oldest first; null maps to the root messages. */
export function toChildren(
  messages: Readonly<Record<string, Message>>,
): ReadonlyMap<string | null, string[]> {
  const children = new Map<string | null, string[]>()
  for (const { id, parentId } of Object.values(messages).toSorted(
    (a, b) => a.timestamp - b.timestamp,
  )) {
    const parent = parentId && messages[parentId] ? parentId : null
    children.set(parent, [...(children.get(parent) ?? []), id])
  }
  return children
}

/** Returns the ids from the root to a message and on to its newest descendant. */
export function branchThrough(messages: Messages, messageId: string): string[] {
  const children = toChildren(messages)
  const order: string[] = []
  for (let message = messages[messageId]; message; message = messages[message.parentId ?? ''])
    order.unshift(message.id)
  for (let id = children.get(messageId)?.at(-1); id !== undefined; id = children.get(id)?.at(-1))
    order.push(id)
  return order
}

/** Shows another branch of a conversation that exists only in this window. */
export const showLocalBranch = (state: ChatState, messageId: string): ChatState => ({
  ...state,
  order: branchThrough(state.messages, messageId),
})

/** Removes a message and its descendants from a conversation that exists only in this window. */
export function removeLocal(state: ChatState, messageId: string): ChatState {
  const children = toChildren(state.messages)
  const gone = new Set<string>()
  const open = [messageId]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    gone.add(id)
    open.push(...(children.get(id) ?? []))
  }
  const messages = Object.fromEntries(
    Object.entries(state.messages)
      .filter(([id]) => !gone.has(id))
      .map(([id, message]) => [
        id,
        { ...message, siblingIds: message.siblingIds.filter((sibling) => !gone.has(sibling)) },
      ]),
  )
  const removed = state.messages[messageId]
  const next = removed?.siblingIds.findLast((id) => messages[id]) ?? removed?.parentId
  return { ...state, messages, order: next ? branchThrough(messages, next) : [] }
}

/** Stores a conversation that existed only in this window; resolves with its id. */
export async function saveTemporaryChat(
  store: ChatStore,
  deps: Pick<ChatDeps, 'api' | 'now'>,
): Promise<string> {
  const { order, messages, params } = store.getState()
  const stored = Object.fromEntries(
    Object.values(messages).map((message) => [message.id, { ...toWire(message), done: true }]),
  )
  const question = messages[order[0] ?? '']
  const created = await deps.api.create({
    title: cutTitle(question?.content ?? ''),
    models: question?.models ?? [],
    params,
    timestamp: deps.now() * 1000,
    history: { currentId: order.at(-1) ?? null, messages: stored as never },
  })
  store.setState({ chatId: created.id, title: created.title })
  return created.id
}
