import { isAborted } from '../../../api/api-error.ts'
import { buildAnswer, toWire } from '../sending/build-turn.ts'
import type { ChatDeps } from '../chat-deps.ts'
import {
  type ChatMessage,
  type ChatModel,
  type ChatStore,
  isTemporaryId,
  patchMessage,
  withTurn,
} from '../chat-store.ts'
import { comparedQuestion, toColumns } from './comparison.ts'
import { failAnswer, writeStream } from '../sending/run-answer.ts'

const underWay = new WeakMap<ChatStore, AbortController>()

/** Aborts the merging of answers, if any; its text so far is kept. */
export const stopMerging = (store: ChatStore): void => underWay.get(store)?.abort()

async function keepMerged(
  store: ChatStore,
  { api }: Pick<ChatDeps, 'api'>,
  questionId: string,
  answerId: string,
): Promise<void> {
  const { chatId, messages } = store.getState()
  const answer = messages[answerId]
  if (chatId === null || !answer) return
  if (!isTemporaryId(chatId)) {
    const stored = { [questionId]: { keptId: answerId }, [answerId]: toWire(answer) }
    await api.update(chatId, { history: { currentId: answerId, messages: stored } })
  }
  store.setState((state) => patchMessage(state, answerId, { unsent: undefined }), true)
}

/**
 * Adds an answer merged from those side by side, and continues with it. It is stored once it is
 * complete.
 */
export async function mergeAnswers(
  store: ChatStore,
  deps: ChatDeps,
  merge: { answerId: string; model: ChatModel },
): Promise<void> {
  const state = store.getState()
  const current = state.messages[merge.answerId]
  const question = comparedQuestion(state, current)
  if (!current || !question) return
  const columns = toColumns(state, merge.answerId).map((id) => state.messages[id]!)
  const siblingIds = current.siblingIds.filter((id) => !state.messages[id]?.unsent)
  const built = buildAnswer(deps, merge.model, {
    parentId: question.id,
    siblingIds,
    modelIdx: columns.length,
  })
  const answer: ChatMessage = {
    ...built,
    merged: true,
    mergedFrom: columns.map((column) => column.modelName ?? column.model ?? ''),
  }
  store.setState(
    (now) => patchMessage(withTurn(now, question.id, [answer]), question.id, { keptId: answer.id }),
    true,
  )
  const controller = new AbortController()
  underWay.set(store, controller)
  try {
    const responses = columns.map((column) => column.content).filter(Boolean)
    const body = await deps.api.merge(
      { model: merge.model.id, prompt: question.content, responses },
      controller.signal,
    )
    await writeStream(store, [answer.id], body)
    await keepMerged(store, deps, question.id, answer.id)
  } catch (thrown) {
    failAnswer(store, answer.id, thrown)
    if (isAborted(thrown)) {
      store.setState(
        (now) => patchMessage(now, answer.id, { error: { content: '', code: 'stopped' } }),
        true,
      )
      await keepMerged(store, deps, question.id, answer.id)
    }
  } finally {
    underWay.delete(store)
  }
}
