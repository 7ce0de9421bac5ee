import { cutTitle } from '#contract/short-title.ts'
import { goneOnWith } from '../apply-event.ts'
import type { ChatDeps } from '../chat-deps.ts'
import {
  type ChatMessage,
  type ChatModel,
  type ChatStore,
  isGrowing,
  patchMessage,
} from '../chat-store.ts'
import { isMerged } from '../branches/comparison.ts'
import { runAnswers } from './run-answer.ts'

/**
 * True if the text of an answer is incomplete. A merged answer, or one whose model an arena keeps
 * secret, has no model that could continue it.
 */
export const isCutShort = (message: ChatMessage | undefined): boolean =>
  message?.role === 'assistant' &&
  !isGrowing(message) &&
  !message.unsent &&
  message.content !== '' &&
  (message.error !== undefined || message.finish_reason === 'length') &&
  !isMerged(message) &&
  typeof message['selectedModelId'] !== 'string'

/** Returns the model that continues an answer: its own if available, otherwise the chosen one. */
export const modelToContinue = (
  message: ChatMessage,
  models: readonly ChatModel[],
  chosen: ChatModel | null,
): ChatModel | null => {
  const own = [...models, ...(chosen ? [chosen] : [])].find(({ id }) => id === message.model)
  const model = own ?? chosen
  return model?.isGuide ? null : model
}

/** True if the chat still has the title it was given before the first complete answer. */
const isUnnamed = (store: ChatStore, answer: ChatMessage): boolean => {
  const { messages, title } = store.getState()
  const question = messages[answer.parentId ?? '']
  return question?.parentId === null && title === cutTitle(question.content)
}

/** Continues an incomplete answer; the new text is appended. */
export async function continueAnswer(
  store: ChatStore,
  deps: ChatDeps,
  { answerId, model }: { answerId: string; model: ChatModel },
): Promise<void> {
  const stopped = store.getState().messages[answerId]
  if (!stopped || !isCutShort(stopped)) return
  const begun = { ...stopped, ...goneOnWith(), model: model.id, modelName: model.name }
  store.setState((state) => patchMessage(state, answerId, begun), true)
  await runAnswers(store, deps, {
    answers: [begun],
    isFirst: isUnnamed(store, begun),
    goesOn: true,
  })
}
