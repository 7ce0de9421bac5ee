import type { ArtifactEdit, ArtifactVersion } from '../../../ui/artifacts/collect-artifacts.ts'
import type { ChatDeps } from '../chat-deps.ts'
import { type ChatStore, isTemporaryId, patchMessage } from '../chat-store.ts'
import { readBranch } from '../load-chat.ts'

/**
 * Stores a changed source with the answer that contains its newest version. The gateway appends it
 * to the existing ones, so that two windows do not overwrite each other, and notifies every window.
 */
export async function keepEdit(
  store: ChatStore,
  deps: Pick<ChatDeps, 'api' | 'newId' | 'now'>,
  { messageId, block }: Pick<ArtifactVersion, 'messageId' | 'block'>,
  source: string,
): Promise<void> {
  const edit: ArtifactEdit = { id: deps.newId(), block, source, timestamp: deps.now() }
  const { chatId } = store.getState()
  if (chatId === null || isTemporaryId(chatId)) {
    store.setState((state) => {
      const before = state.messages[messageId]?.['artifacts']
      const artifacts: readonly unknown[] = Array.isArray(before) ? before : []
      return patchMessage(state, messageId, { artifacts: [...artifacts, edit] })
    }, true)
    return
  }
  await deps.api.tellMessage(chatId, messageId, {
    type: 'chat:message:artifact',
    data: { ...edit },
  })
  // The socket reports it too, unless it is disconnected.
  await readBranch(store, deps)
}
