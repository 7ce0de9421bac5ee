import type { ChatMessage, ChatState } from './chat-store.ts'

/** Where the conversation begins for a model that cannot read all of it. */
export interface ShorterContext {
  /** The first message the model reads. */
  readonly context_start: string
  /** How many messages before it are left out. */
  readonly left_out: number
}

/** What an answer was written without; nothing for one that had the whole conversation. */
export const contextOf = (message: ChatMessage | undefined): Partial<ShorterContext> =>
  typeof message?.['context_start'] === 'string' && typeof message['left_out'] === 'number'
    ? { context_start: message['context_start'], left_out: message['left_out'] }
    : {}

/**
 * The messages a model reads, from the last place a branch was shortened at; `answerAt` is the
 * place of the answer, whose own shortening counts too.
 */
export function readOrder(order: readonly string[], state: ChatState, answerAt: number): string[] {
  const starts = order
    .slice(0, answerAt + 1)
    .map((id) => contextOf(state.messages[id]).context_start)
    .filter((id) => id !== undefined)
  const first = Math.max(order.indexOf(starts.at(-1) ?? ''), 0)
  return order.slice(first, answerAt)
}

/**
 * The same conversation without the older half of what was sent, from a question on; null where
 * only the question itself is left.
 */
export function shorten(state: ChatState, answerId: string): ShorterContext | null {
  const { order, messages } = state
  const answerAt = order.indexOf(answerId)
  if (answerAt < 1) return null
  // Answers that failed without a word are never sent.
  const withText = (ids: readonly string[]): string[] =>
    ids.filter((id) => messages[id]!.content !== '')
  const sent = withText(readOrder(order, state, answerAt))
  const start = sent.slice(Math.ceil(sent.length / 2)).find((id) => messages[id]!.role === 'user')
  if (start === undefined || start === sent[0]) return null
  return {
    context_start: start,
    left_out: withText(order.slice(0, order.indexOf(start))).length,
  }
}
