import type { ArtifactEdit, ArtifactVersion } from '../../../ui/artifacts/collect-artifacts.ts'
import type { ChatDeps } from '../chat-deps.ts'
import { type ChatStore, isTemporaryId, patchMessage } from '../chat-store.ts'
import { readBranch } from '../load-chat.ts'

/**
 * Keeps a changed source with the answer its newest version stands in. The gateway adds it to those
 * there are, so that two windows lose nothing of each other, and tells every window.
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
  // The socket tells it too, unless it is away just now.
  await readBranch(store, deps)
}
