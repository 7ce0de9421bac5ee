import { ApiError, toSentence } from '../../api/api-error.ts'
import { applyEvent } from './apply-event.ts'
import { toPrompt } from './build-turn.ts'
import type { ChatDeps } from './chat-deps.ts'
import { type ChatMessage, type ChatModel, type ChatStore, patchMessage } from './chat-store.ts'
import { readBackTo, readBranch } from './load-chat.ts'
import { readAnswer } from './read-stream.ts'

/** An answer to be written: where it goes and what it answers. */
export interface AnswerOrder {
  readonly answer: ChatMessage
  readonly model: ChatModel
  readonly isFirst: boolean
}

const toError = (thrown: unknown): NonNullable<ChatMessage['error']> => ({
  content: toSentence(thrown),
  ...(thrown instanceof ApiError && { status: thrown.status, code: thrown.code, request_id: thrown.requestId }),
})

/** Ends an answer that never began with the reason in its place. */
export function failAnswer(store: ChatStore, answerId: string, thrown: unknown): void {
  store.setState((state) => patchMessage(state, answerId, { done: true, error: toError(thrown) }), true)
}

/** Offsets keep the text whole when the socket comes back meanwhile and brings the same words. */
async function follow(store: ChatStore, deps: ChatDeps, answerId: string, body: ReadableStream<Uint8Array>): Promise<void> {
  const lengths = { content: 0, reasoning: 0 }
  const take = (type: string, data: Record<string, unknown>): void =>
    store.setState((state) => applyEvent(state, { message_id: answerId, data: { type, data } }), true)
  for await (const piece of readAnswer(body)) {
    if (piece.reasoning) take('chat:reasoning:delta', { content: piece.reasoning, offset: lengths.reasoning })
    if (piece.content) take('chat:message:delta', { content: piece.content, offset: lengths.content })
    if (piece.failure !== null) store.setState((state) => patchMessage(state, answerId, { error: { content: piece.failure! } }), true)
    lengths.reasoning += piece.reasoning.length
    lengths.content += piece.content.length
  }
  take('chat:completion', { done: true })
  await readBranch(store, deps)
}

/** Conversations whose answer was asked for and has not begun yet, and whether it was stopped meanwhile. */
const beginnings = new WeakMap<ChatStore, { isStopped: boolean }>()

/** Remembers a stop for an answer that has not begun. */
export function stopBeginning(store: ChatStore): void {
  const beginning = beginnings.get(store)
  if (beginning) beginning.isStopped = true
}

/** Asks for the answer. Its text arrives over the socket, or right here when there is no live socket. */
export async function runAnswer(store: ChatStore, deps: ChatDeps, order: AnswerOrder): Promise<void> {
  const { answer, model, isFirst } = order
  const { chatId } = store.getState()
  if (chatId === null) return
  const beginning = { isStopped: false }
  beginnings.set(store, beginning)
  try {
    await readBackTo(store, deps)
    const started = await deps.api.startAnswer({
      model: model.id,
      messages: toPrompt(store.getState(), answer.parentId ?? ''),
      stream: true,
      chat_id: chatId,
      id: answer.id,
      session_id: deps.sessionId(),
      background_tasks: { title_generation: isFirst },
    })
    beginnings.delete(store)
    if (beginning.isStopped) await deps.api.stop(chatId)
    if (started.over === 'stream') await follow(store, deps, answer.id, started.body)
  } catch (thrown) {
    beginnings.delete(store)
    failAnswer(store, answer.id, thrown)
  }
}
