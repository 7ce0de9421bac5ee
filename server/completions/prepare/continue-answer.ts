import { toAnswerMessages } from './stored-thread.ts'
import type { Step } from './step.ts'

/** Never stored; only the model reads it. */
const GO_ON =
  'Your last message was cut off. Continue it exactly where it stopped. Repeat nothing of it, add no introduction and no remark, and begin with the very next character: a space or a line break where one belongs, the rest of a word where it stopped inside of one.'

/**
 * Removes a partial answer from a conversation, so that every step sees the same messages as for
 * the first part.
 */
export const withoutBegun: Step = (_, { turn }, request) =>
  turn?.begun && request.messages.at(-1)?.role === 'assistant'
    ? { ...request, messages: request.messages.slice(0, -1) }
    : request

/** Appends the partial answer to the conversation and has the model continue it. */
export const continueAnswer: Step = (_, { turn, resolved }, request) => {
  if (!turn?.begun) return request
  const begun = toAnswerMessages(turn.begun.content, turn.begun.output)
  const messages = [...request.messages, ...begun]
  // After a tool result every model continues without an instruction.
  const { continuesAnswers } = resolved.provider.abilities
  const isWhole = continuesAnswers || messages.at(-1)?.role !== 'assistant'
  return {
    ...request,
    messages: isWhole ? messages : [...messages, { role: 'user', content: GO_ON }],
  }
}
