import type { ChatDeps } from '../chat-deps.ts'
import { type ChatStore, isTemporaryId, patchMessage } from '../chat-store.ts'

/**
 * Replaces the text of an answer and marks it as edited; shown immediately, and reverted if it
 * cannot be stored. Later messages are kept, and later questions use the new text.
 */
export async function editAnswer(
  store: ChatStore,
  { api }: Pick<ChatDeps, 'api'>,
  id: string,
  content: string,
): Promise<void> {
  const { chatId, messages } = store.getState()
  const before = messages[id]
  if (!before || before.content === content) return
  const show = (patch: { content: string; edited: boolean }): void =>
    store.setState((state) => patchMessage(state, id, patch), true)
  show({ content, edited: true })
  if (chatId === null || isTemporaryId(chatId)) return
  try {
    await api.update(chatId, { history: { messages: { [id]: { content, edited: true } } } })
  } catch (thrown) {
    show({ content: before.content, edited: before.edited === true })
    throw thrown
  }
}
