import type { ServerFrame } from '#contract/events.ts'
import type { ChatDeps } from '../chat-deps.ts'
import { type ChatStore, isTemporaryId, patchMessage } from '../chat-store.ts'
import { toastError } from '../../../ui/floating/toast.tsx'

/**
 * Marks a message as a favourite or removes the mark; shown immediately, and reverted if it cannot
 * be stored.
 */
export async function markFavorite(
  store: ChatStore,
  { api }: Pick<ChatDeps, 'api'>,
  id: string,
  favorite: boolean,
): Promise<void> {
  const { chatId } = store.getState()
  const show = (isMarked: boolean): void =>
    store.setState((state) => patchMessage(state, id, { favorite: isMarked }), true)
  show(favorite)
  if (chatId === null || isTemporaryId(chatId)) return
  try {
    await api.update(chatId, { history: { messages: { [id]: { favorite } } } })
  } catch (thrown) {
    show(!favorite)
    throw thrown
  }
}

/**
 * Stores the mark a plugin requested: the gateway itself only forwards it (specification, Plugin
 * events › Persistence).
 */
export function keepToldFavorite(
  store: ChatStore,
  { api }: Pick<ChatDeps, 'api'>,
  frame: ServerFrame,
): void {
  if (
    frame.type !== 'events' ||
    frame.data.type !== 'chat:message:favorite' ||
    frame.message_id === null
  )
    return
  const { chatId, messages } = store.getState()
  if (
    chatId === null ||
    chatId !== frame.chat_id ||
    isTemporaryId(chatId) ||
    !messages[frame.message_id]
  )
    return
  const { favorite } = frame.data.data
  const change = { history: { messages: { [frame.message_id]: { favorite: favorite === true } } } }
  api.update(chatId, change).catch(toastError)
}
