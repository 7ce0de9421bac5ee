import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Chats } from '../../chats/index.ts'
import type { Events } from '../../events/index.ts'
import { badRequest, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { newId } from '../../lib/ids.ts'
import { isTemporary } from '../../lib/is-temporary.ts'

/** Destination of a request's answers. */
export type Place =
  /** No stored destination: a disconnect of the caller cancels the call. */
  | { readonly kind: 'stateless' }
  | { readonly kind: 'stored'; readonly chatId: string }
  /** A stored chat without a message to write: nothing runs. */
  | { readonly kind: 'idle'; readonly chatId: string }
  /** A chat that has yet to be created. */
  | { readonly kind: 'new' }
  /** A conversation that exists only in the window with this session. */
  | { readonly kind: 'temporary'; readonly chatId: string; readonly sessionId: string }

/** One of the answers a request asks for. */
export interface Target {
  readonly modelId: string
  readonly messageId: string
  readonly modelIdx: number
}

interface PlaceParts {
  readonly chats: Pick<Chats, 'ownerOf'>
  readonly events: Pick<Events, 'hasSession'>
}

/**
 * Determines the destination of the answers; throws 404 for a chat that is not the caller's.
 * Nothing is written yet.
 *
 * @NOTE `chat_id` without `id` names no message to write, so it is answered statelessly, after the
 *   same owner check. With `session_id` the caller does not read the reply, so that, like in the
 *   reference system, nothing runs. A temporary chat without a live session is answered statelessly
 *   too: there is no window that would keep it.
 */
export function findPlace(
  parts: PlaceParts,
  caller: Caller,
  request: ChatCompletionRequest,
): Place | Promise<Place> {
  const { chat_id: chatId } = request
  if (chatId) return findChat(parts, caller, { request, chatId })
  return request.parent_id === null ? { kind: 'new' } : { kind: 'stateless' }
}

async function findChat(
  parts: PlaceParts,
  caller: Caller,
  { request, chatId }: { readonly request: ChatCompletionRequest; readonly chatId: string },
): Promise<Place> {
  const { session_id: sessionId } = request
  if (isTemporary(chatId)) {
    // A temporary prefix before the id of a stored chat gives no access to it; the 404 makes this
    // explicit.
    if ((await parts.chats.ownerOf(chatId.slice(chatId.indexOf(':') + 1))) !== null) throw noChat()
    const isLive = sessionId && parts.events.hasSession(sessionId, caller.userId)
    return isLive ? { kind: 'temporary', chatId, sessionId } : { kind: 'stateless' }
  }
  if ((await parts.chats.ownerOf(chatId)) !== caller.userId) throw noChat()
  if (request.id || hasTargets(request)) return { kind: 'stored', chatId }
  return sessionId ? { kind: 'idle', chatId } : { kind: 'stateless' }
}

const noChat = () => notFound('There is no chat with this id.')

const hasTargets = ({ message_ids: ids }: ChatCompletionRequest): boolean =>
  Boolean(ids && (Array.isArray(ids) ? ids.length : Object.keys(ids).length))

/** Returns the single answer of an ordinary request. */
export const toSingleTarget = ({ model, id }: ChatCompletionRequest): Target => ({
  modelId: model,
  messageId: id || newId(),
  modelIdx: 0,
})

/** More models than a user compares at once; each of them is a call that costs money. */
const MAX_TARGETS = 20

/** Returns the answers of a question to several models, in order; none for an ordinary request. */
export function toTargets({ message_ids: ids }: ChatCompletionRequest): Target[] {
  if (!ids) return []
  const targets = Array.isArray(ids)
    ? ids.map(({ model_id, message_id, modelIdx }, index) => ({
        modelId: model_id,
        messageId: message_id,
        modelIdx: modelIdx ?? index,
      }))
    : Object.entries(ids).map(([modelId, messageId], index) => ({
        modelId,
        messageId,
        modelIdx: index,
      }))
  if (targets.length > MAX_TARGETS)
    throw badRequest(`A question can go to at most ${MAX_TARGETS} models at once.`)
  if (new Set(targets.map(({ messageId }) => messageId)).size < targets.length) {
    throw badRequest('Every model in "message_ids" needs a message id of its own.')
  }
  return targets
}
