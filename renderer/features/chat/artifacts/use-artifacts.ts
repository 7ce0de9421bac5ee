import { useMemo } from 'react'
import type { ArtifactOpener } from '../../../ui/artifacts/artifacts-context.ts'
import { useChatView } from '../chat-context.ts'
import { chatViewStore, openArtifact } from '../chat-view-store.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'

const Opener = lazyPart(() => import('../../../ui/artifacts/artifact-opener.tsx'), 'ArtifactOpener')

/** Returns the callbacks that open an answer's code beside it. */
export function useArtifacts(messageId: string): ArtifactOpener {
  const { store } = useChatView().chat
  return useMemo(
    () => ({
      Opener,
      messageId,
      readText: () => store.getState().messages[messageId]?.content ?? '',
      open: (id, block) => openArtifact(chatViewStore, { messageId: id, block }),
    }),
    [store, messageId],
  )
}
