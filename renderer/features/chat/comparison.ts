import { type ChatMessage, type ChatState, isGrowing } from './chat-store.ts'

/** The question of an answer, when it went to several models. */
export function comparedQuestion(
  state: ChatState,
  answer: ChatMessage | undefined,
): ChatMessage | null {
  if (answer?.role !== 'assistant' || !answer.parentId) return null
  const question = state.messages[answer.parentId]
  return question?.models && question.models.length > 1 ? question : null
}

/** An answer that was made of several others; it stands in no column. */
export const isMerged = (message: ChatMessage | undefined): boolean => message?.merged === true

/** The versions of one column: what one model answered to the same question, oldest first. */
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
 * The answers to show side by side, one for each model in the order they were asked; empty for an
 * ordinary answer. Of a model's versions the one on the branch counts, else the newest.
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

/** The same as one text, which stays equal while nothing changes. */
export const selectColumns =
  (answerId: string) =>
  (state: ChatState): string =>
    toColumns(state, answerId).join(' ')

/** True when somebody chose this answer to go on with, or the conversation has gone on. */
export function selectIsSettled(answerId: string) {
  return (state: ChatState): boolean => {
    const question = comparedQuestion(state, state.messages[answerId])
    return question?.keptId === answerId || state.order.at(-1) !== answerId
  }
}

/**
 * Answers beside those of the branch that are not known or not finished, with the ids that share
 * their parent.
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
