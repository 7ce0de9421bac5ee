import { buildAnswer, buildTurn, toChatPatch, toFirstTitle } from './build-turn.ts'
import type { ChatDeps } from './chat-deps.ts'
import { type ChatMessage, type ChatModel, type ChatStore, patchMessage, withTurn } from './chat-store.ts'
import { failAnswer, runAnswer } from './run-answer.ts'

interface Turn {
  /** New messages in order; the last one is the empty answer. */
  readonly messages: readonly ChatMessage[]
  readonly model: ChatModel
}

/** Told once the messages are stored, so that the draft may go. */
type Acknowledged = (chatId: string) => void

async function storeTurn(store: ChatStore, deps: ChatDeps, { messages, model }: Turn): Promise<string> {
  const { chatId } = store.getState()
  const patch = toChatPatch(messages, model)
  if (chatId !== null) {
    await deps.api.update(chatId, patch)
    return chatId
  }
  const title = toFirstTitle(messages[0]?.content ?? '')
  const created = await deps.api.create({ ...patch, title, timestamp: deps.now() * 1000 })
  store.setState({ chatId: created.id, title: created.title })
  return created.id
}

function markSent(store: ChatStore, messages: readonly ChatMessage[]): void {
  store.setState((state) => messages.reduce((next, message) => patchMessage(next, message.id, { unsent: undefined }), state), true)
}

async function deliverTurn(store: ChatStore, deps: ChatDeps, turn: Turn, acknowledged?: Acknowledged): Promise<void> {
  const answer = turn.messages.at(-1)!
  const isFirst = store.getState().chatId === null
  try {
    const chatId = await storeTurn(store, deps, turn)
    markSent(store, turn.messages)
    acknowledged?.(chatId)
  } catch (thrown) {
    failAnswer(store, answer.id, thrown)
    return
  }
  await runAnswer(store, deps, { answer, model: turn.model, isFirst })
}

/** Shows the message and an empty answer at once, stores both and asks for the answer. */
export async function sendMessage(
  store: ChatStore,
  deps: ChatDeps,
  message: { text: string; model: ChatModel; acknowledged?: Acknowledged },
): Promise<void> {
  const { text, model, acknowledged } = message
  const parentId = store.getState().order.at(-1) ?? null
  const messages = buildTurn(deps, { parentId, text, model })
  store.setState((state) => withTurn(state, parentId, messages), true)
  await deliverTurn(store, deps, { messages, model }, acknowledged)
}

/** Asks the changed question beside the old one; the old branch stays. */
export async function editMessage(
  store: ChatStore,
  deps: ChatDeps,
  edit: { messageId: string; text: string; model: ChatModel },
): Promise<void> {
  const original = store.getState().messages[edit.messageId]
  if (!original) return
  const parentId = original.parentId ?? null
  const messages = buildTurn(deps, { parentId, text: edit.text, model: edit.model, siblingIds: original.siblingIds })
  store.setState((state) => withTurn(state, parentId, messages), true)
  await deliverTurn(store, deps, { messages, model: edit.model })
}

/** Writes another answer beside an old one; the old one stays. */
export async function regenerateAnswer(store: ChatStore, deps: ChatDeps, again: { answerId: string; model: ChatModel }): Promise<void> {
  const original = store.getState().messages[again.answerId]
  if (!original) return
  const parentId = original.parentId ?? null
  const answer = buildAnswer(deps, parentId, again.model, original.siblingIds)
  store.setState((state) => withTurn(state, parentId, [answer]), true)
  await deliverTurn(store, deps, { messages: [answer], model: again.model })
}

/** Tries a failed answer again: the same messages when they were never stored, else a new answer beside it. */
export async function retryAnswer(
  store: ChatStore,
  deps: ChatDeps,
  again: { answerId: string; model: ChatModel; acknowledged?: Acknowledged },
): Promise<void> {
  const { messages: shown, order } = store.getState()
  const failed = shown[again.answerId]
  if (!failed?.unsent) return regenerateAnswer(store, deps, again)
  const unsent = order.map((id) => shown[id]!).filter((message) => message.unsent && message.id !== failed.id)
  const { error: _error, ...rest } = failed
  const answer = { ...rest, content: '', done: false, model: again.model.id, modelName: again.model.name }
  const messages = [...unsent, answer]
  store.setState((state) => withTurn(state, messages[0]?.parentId ?? null, messages), true)
  await deliverTurn(store, deps, { messages, model: again.model }, again.acknowledged)
}
