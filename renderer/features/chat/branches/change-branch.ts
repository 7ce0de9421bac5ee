import type { Message } from '#contract/chats.ts'
import type { ChatDeps } from '../chat-deps.ts'
import { type ChatStore, isGrowing, isTemporaryId, patchMessage } from '../chat-store.ts'
import { comparedQuestion } from './comparison.ts'
import { rereadChat } from '../load-chat.ts'
import { stopMerging } from './merge-answers.ts'
import { stopAll, stopBeginning, waitForBeginning } from '../sending/run-answer.ts'
import { removeLocal, showLocalBranch } from '../temporary-chat.ts'

/** Shows the branch through a sibling and stores it as the chat's active branch. */
export async function switchBranch(
  store: ChatStore,
  { api }: Pick<ChatDeps, 'api'>,
  siblingId: string,
): Promise<void> {
  if (isTemporaryId(store.getState().chatId)) {
    store.setState((state) => showLocalBranch(state, siblingId), true)
    return
  }
  await rereadChat(store, { api }, siblingId)
  const { chatId, order } = store.getState()
  if (chatId !== null) await api.update(chatId, { history: { currentId: order.at(-1) ?? null } })
}

/** Continues with one of several answers; the others are collapsed. */
export async function keepAnswer(
  store: ChatStore,
  deps: Pick<ChatDeps, 'api'>,
  answerId: string,
): Promise<void> {
  const state = store.getState()
  const question = comparedQuestion(state, state.messages[answerId])
  if (!question) return
  if (state.chatId !== null && !isTemporaryId(state.chatId)) {
    await deps.api.update(state.chatId, {
      history: { messages: { [question.id]: { keptId: answerId } } },
    })
  }
  await switchBranch(store, deps, answerId)
  store.setState((now) => patchMessage(now, question.id, { keptId: answerId }), true)
}

/**
 * Returns the number of messages a deletion removes: the message itself and everything below it, on
 * every branch.
 */
export function countBelow(messages: Readonly<Record<string, Message>>, messageId: string): number {
  const children = new Map<string, string[]>()
  for (const message of Object.values(messages)) {
    if (message.parentId)
      children.set(message.parentId, [...(children.get(message.parentId) ?? []), message.id])
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

/** Resolves with the number of messages shown in the confirmation of a deletion. */
export async function countDeleted(
  store: ChatStore,
  { api }: Pick<ChatDeps, 'api'>,
  messageId: string,
): Promise<number> {
  const { chatId } = store.getState()
  if (chatId === null) return 0
  if (isTemporaryId(chatId)) return countBelow(store.getState().messages, messageId)
  const chat = await api.whole(chatId)
  return countBelow(chat.chat.history.messages, messageId)
}

/**
 * Deletes a message with its descendants; sibling branches remain and the newest of them is shown.
 */
export async function deleteMessage(
  store: ChatStore,
  { api }: Pick<ChatDeps, 'api'>,
  messageId: string,
): Promise<void> {
  const { chatId } = store.getState()
  if (chatId === null) return
  if (isTemporaryId(chatId)) {
    store.setState((state) => removeLocal(state, messageId), true)
    return
  }
  await api.removeMessage(chatId, messageId)
  await rereadChat(store, { api })
}

/** Stops the answers, including those not started yet; their text so far is kept. */
export async function stopAnswer(store: ChatStore, { api }: Pick<ChatDeps, 'api'>): Promise<void> {
  stopBeginning(store)
  stopMerging(store)
  await stopAll(store, { api })
}

/** Stops one of several answers, regardless of where it was started. */
export async function stopOne(
  store: ChatStore,
  deps: Pick<ChatDeps, 'api'>,
  answerId: string,
): Promise<void> {
  await waitForBeginning(store, answerId)
  const { chatId, tasks, messages } = store.getState()
  if (!isGrowing(messages[answerId])) return
  const task = tasks[answerId]
  if (task !== undefined) await deps.api.stopTask(task)
  else if (chatId === null || isTemporaryId(chatId)) await stopAnswer(store, deps)
  else await deps.api.stop(chatId, answerId)
}
