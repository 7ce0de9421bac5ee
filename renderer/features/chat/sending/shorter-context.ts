import type { ChatMessage, ChatState } from '../chat-store.ts'

/** Start of the conversation for a model that cannot read all of it. */
export interface ShorterContext {
  /** Id of the first message the model reads. */
  readonly context_start: string
  /** Number of messages left out before it. */
  readonly left_out: number
}

/**
 * Returns the part of the conversation an answer was generated without; empty if it had the whole
 * conversation.
 */
export const contextOf = (message: ChatMessage | undefined): Partial<ShorterContext> =>
  typeof message?.['context_start'] === 'string' && typeof message['left_out'] === 'number'
    ? { context_start: message['context_start'], left_out: message['left_out'] }
    : {}

/**
 * Returns the ids of the messages a model reads, from the last point at which the branch was
 * shortened; `answerAt` is the index of the answer, whose own shortening counts too.
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
 * Returns the conversation without the older half of what was sent, starting at a question; null if
 * only the question itself remains.
 */
export function shorten(state: ChatState, answerId: string): ShorterContext | null {
  const { order, messages } = state
  const answerAt = order.indexOf(answerId)
  if (answerAt < 1) return null
  // Failed answers without text are never sent.
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
