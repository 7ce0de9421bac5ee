import type { FeedbackInput } from '#contract/evaluations.ts'
import { ApiError } from '../../../api/api-error.ts'
import type { ChatDeps } from '../chat-deps.ts'
import {
  type ChatMessage,
  type ChatState,
  type ChatStore,
  isTemporaryId,
  patchMessage,
} from '../chat-store.ts'
import { asText } from '../../../lib/as-text.ts'

export type Verdict = 1 | -1

/** A user's rating of an answer. */
export interface Rating {
  readonly rating: Verdict
  readonly reason: string
  readonly comment: string
}

/** Returns the rating of an answer; null if there is none. */
export function ratingOf({ annotation }: Pick<ChatMessage, 'annotation'>): Rating | null {
  const { rating, reason, comment } = annotation ?? {}
  if (rating !== 1 && rating !== -1) return null
  return { rating, reason: asText(reason), comment: asText(comment) }
}

/** Returns the id of the model that wrote an answer, even if an arena chose it. */
const writerOf = ({ selectedModelId, model }: ChatMessage): string =>
  asText(selectedModelId) || (model ?? '')

/** Returns the distinct models of the sibling answers, which the rating compares against. */
function modelsBeside(state: ChatState, message: ChatMessage): string[] {
  const beside = message.siblingIds.flatMap((id) =>
    id === message.id ? [] : (state.messages[id] ?? []),
  )
  return [...new Set(beside.map(writerOf))].filter((id) => id !== '' && id !== writerOf(message))
}

function toFeedback(
  state: ChatState,
  message: ChatMessage,
  rating: Rating,
  chat: Record<string, unknown>,
): FeedbackInput {
  const isArena = asText(message.selectedModelId) !== ''
  return {
    type: 'rating',
    data: {
      ...rating,
      model_id: writerOf(message),
      sibling_model_ids: modelsBeside(state, message),
    },
    meta: {
      arena: isArena,
      ...(isArena && { model_id: message.model }),
      chat_id: state.chatId,
      message_id: message.id,
      message_index: state.order.indexOf(message.id),
    },
    snapshot: { chat },
  }
}

/** Creates the rating again if an administrator deleted it meanwhile. */
async function send(
  api: ChatDeps['api'],
  feedback: FeedbackInput,
  feedbackId: string | null,
): Promise<string> {
  try {
    return await api.rate(feedback, feedbackId)
  } catch (thrown) {
    if (feedbackId === null || !(thrown instanceof ApiError && thrown.status === 404)) throw thrown
    return api.rate(feedback, null)
  }
}

const show = (store: ChatStore, id: string, patch: Partial<ChatMessage>): void =>
  store.setState((state) => patchMessage(state, id, patch), true)

async function keep(
  store: ChatStore,
  { api }: Pick<ChatDeps, 'api'>,
  id: string,
  patch: Partial<ChatMessage>,
): Promise<void> {
  const { chatId } = store.getState()
  show(store, id, patch)
  if (chatId !== null) await api.update(chatId, { history: { messages: { [id]: patch } } })
}

/**
 * Rates an answer or changes its rating, both in the message and in the list of ratings. Shows it
 * immediately and reverts it on failure.
 */
export async function rateAnswer(
  store: ChatStore,
  deps: Pick<ChatDeps, 'api'>,
  id: string,
  rating: Rating,
): Promise<void> {
  const state = store.getState()
  const message = state.messages[id]
  if (!message || state.chatId === null || isTemporaryId(state.chatId)) return
  const before = { annotation: message.annotation ?? null, feedbackId: message.feedbackId ?? null }
  const annotation = { type: 'rating', ...rating }
  show(store, id, { annotation })
  try {
    const chat = await deps.api.whole(state.chatId)
    const feedbackId = await send(
      deps.api,
      toFeedback(state, message, rating, { ...chat }),
      before.feedbackId,
    )
    await keep(store, deps, id, { annotation, feedbackId })
  } catch (thrown) {
    show(store, id, before)
    throw thrown
  }
}

/** Deletes the rating of an answer. */
export async function unrateAnswer(
  store: ChatStore,
  deps: Pick<ChatDeps, 'api'>,
  id: string,
): Promise<void> {
  const message = store.getState().messages[id]
  if (!message) return
  const before = { annotation: message.annotation ?? null, feedbackId: message.feedbackId ?? null }
  show(store, id, { annotation: null })
  try {
    if (before.feedbackId !== null) {
      await deps.api.unrate(before.feedbackId).catch((thrown: unknown) => {
        if (!(thrown instanceof ApiError && thrown.status === 404)) throw thrown
      })
    }
    await keep(store, deps, id, { annotation: null, feedbackId: null })
  } catch (thrown) {
    show(store, id, before)
    throw thrown
  }
}
