import type { ChatCompletionRequest } from '#contract/completions.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { Caller } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import { parseInput } from '../lib/serving/parse-input.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { openAnswer } from './turn/open-answers.ts'
import { toMessageError } from './answer/outcome.ts'
import { createOwnChat, removeOwnChat } from './turn/own-chats.ts'
import { requirePermitted } from './turn/require-permitted.ts'
import { writeAnswer } from './answer/write-answer.ts'

/** Question asked without a user present, in a separate chat. */
export interface ChatQuestion {
  readonly caller: Caller
  readonly title: string
  readonly model: string
  readonly prompt: string
  readonly folderId: string | null
  readonly toolIds: readonly string[]
  readonly isWebSearched: boolean
  /** Stops the answer; the text received so far is kept. */
  readonly signal: AbortSignal
  /** Called with the id of the chat as soon as it exists. */
  readonly onChat: (chatId: string) => void
}

/** Result of an answer. */
export interface ChatRun {
  readonly chatId: string
  /** Null for a complete answer. */
  readonly error: string | null
}

const toRequest = (question: ChatQuestion, chatId: string): ChatCompletionRequest =>
  parseInput(
    endpoints.completions.chatCompletions.body,
    {
      model: question.model,
      messages: [],
      stream: true,
      chat_id: chatId,
      id: newId(),
      user_message: { id: newId(), role: 'user', content: question.prompt },
      ...(question.toolIds.length > 0 && { tool_ids: [...question.toolIds] }),
      ...(question.isWebSearched && { features: { web_search: true } }),
    },
    'body',
  ) as ChatCompletionRequest

/**
 * Asks in the same way as a window of the user, and waits for the end of the answer. A question
 * that cannot be asked leaves no chat behind.
 */
export async function runInChat(parts: CompletionsParts, question: ChatQuestion): Promise<ChatRun> {
  const { caller, title, model, folderId, signal, onChat } = question
  await requirePermitted(parts.groups, caller, toRequest(question, newId()))
  const resolved = await parts.models.resolve(caller, model)
  signal.throwIfAborted()
  const chatId = await createOwnChat(parts, caller.userId, { title, models: [model] }, folderId)
  const body = toRequest(question, chatId)
  const call = { body, caller, notes: null, request: { headers: {} } }
  let opened
  try {
    opened = await openAnswer(parts, call, { place: { kind: 'stored', chatId }, resolved })
  } catch (error) {
    await removeOwnChat(parts, caller.userId, chatId)
    throw error
  }
  onChat(chatId)
  const { task } = opened.turn
  const stop = (): void => void parts.tasks.stop(task.id, 'user')
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    const { outcome } = await writeAnswer(parts, opened)
    return { chatId, error: toMessageError(outcome)?.content ?? null }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
