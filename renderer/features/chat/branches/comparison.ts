import { type ChatMessage, type ChatState, isGrowing } from '../chat-store.ts'

/** Returns the question of an answer if it was sent to several models. */
export function comparedQuestion(
  state: ChatState,
  answer: ChatMessage | undefined,
): ChatMessage | null {
  if (answer?.role !== 'assistant' || !answer.parentId) return null
  const question = state.messages[answer.parentId]
  return question?.models && question.models.length > 1 ? question : null
}

/** True for an answer merged from several others; it is not part of any column. */
export const isMerged = (message: ChatMessage | undefined): boolean => message?.merged === true

/** Returns the versions of one column: one model's answers to the same question, oldest first. */
export const toVersions = (state: ChatState, answer: ChatMessage): string[] =>
  answer.siblingIds.filter((id) => {
    const sibling = state.messages[id]
    return (
      sibling !== undefined &&
      !isMerged(sibling) &&
      (sibling.modelIdx ?? 0) === (answer.modelIdx ?? 0)
    )
  })

/**
 * Returns the answers to show side by side, one per model in the order they were asked; empty for
 * an ordinary answer. Of a model's versions the one on the branch is used, otherwise the newest.
 */
export function toColumns(state: ChatState, answerId: string): string[] {
  const answer = state.messages[answerId]
  if (!answer || !comparedQuestion(state, answer)) return []
  const heads = new Map<number, string>()
  for (const id of answer.siblingIds) {
    const sibling = state.messages[id]
    if (!sibling || isMerged(sibling)) continue
    const place = sibling.modelIdx ?? 0
    if (heads.get(place) !== answerId) heads.set(place, id)
  }
  const places = [...heads.keys()].toSorted((a, b) => a - b)
  return places.length < 2 ? [] : places.map((place) => heads.get(place)!)
}

/** Returns the same as one string, which stays equal while nothing changes. */
export const selectColumns =
  (answerId: string) =>
  (state: ChatState): string =>
    toColumns(state, answerId).join(' ')

/** True if the user chose this answer to continue with, or the conversation has continued. */
export function selectIsSettled(answerId: string) {
  return (state: ChatState): boolean => {
    const question = comparedQuestion(state, state.messages[answerId])
    return question?.keptId === answerId || state.order.at(-1) !== answerId
  }
}

/**
 * Returns answers beside those of the branch that are not loaded or not finished, with the ids that
 * share their parent.
 */
export function idsBeside(state: ChatState): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>()
  for (const answerId of state.order) {
    const answer = state.messages[answerId]
    if (!answer || !comparedQuestion(state, answer)) continue
    for (const id of answer.siblingIds) {
      const sibling = state.messages[id]
      if (id !== answerId && (!sibling || (isGrowing(sibling) && !sibling.unsent)))
        found.set(id, answer.siblingIds)
    }
  }
  return found
}
