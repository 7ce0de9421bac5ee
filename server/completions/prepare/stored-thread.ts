import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { SpokenMessage } from '../../chats/index.ts'
import { withoutBlocks } from '../../lib/text/answer-blocks.ts'
import { eachInSteps } from '../../lib/turns.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { textOf } from '../message-text.ts'
import type { Turn } from '../turn/open-turn.ts'
import { toMessages } from '../tools/output-items.ts'

type Messages = ChatCompletionRequest['messages']

/**
 * Converts a stored thread into the messages for a model: calls and results as such instead of the
 * displayed blocks, files with the questions. Runs in steps.
 */
export function* toRequestThread(thread: readonly SpokenMessage[]): Generator<void, Messages> {
  const messages: Messages = []
  yield* eachInSteps(thread, (message) => messages.push(...toRequestMessages(message)))
  return messages
}

function toRequestMessages({ role, content, files, output }: SpokenMessage): Messages {
  if (role === 'assistant') return toAnswerMessages(content, output)
  return [{ role, content, ...(files && files.length > 0 && { files }) }]
}

/**
 * Returns an answer as the model wrote it, as far as its parts are known; the content of a stored
 * one may be in parts.
 */
export function toAnswerMessages(content: unknown, output: unknown): Messages {
  const structured = Array.isArray(output) ? toMessages(output) : []
  return structured.some(({ role }) => role !== 'assistant')
    ? structured
    : [{ role: 'assistant', content: withoutBlocks(textOf(content)) }]
}

/** Returns the thread a turn answers, up to its question; an empty one if nothing is stored. */
export const readStoredThread = async (
  { chats }: CompletionsParts,
  { chatId, parentId, temporarySession }: Turn,
): Promise<SpokenMessage[]> =>
  temporarySession !== null || parentId === null ? [] : chats.spokenThread(chatId, parentId)
