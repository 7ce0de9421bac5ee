import { useDeferredValue, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { toSentence } from '../../../api/api-error.ts'
import { chatNetworks, passingNetworks } from '../../../ui/artifacts/artifact-networks.ts'
import { runCommand } from '../../../lib/commands.ts'
import { ArtifactPanel } from '../../../ui/artifacts/artifact-panel.tsx'
import type { ArtifactPlace } from '../../../ui/artifacts/use-artifact.ts'
import { useChatView } from '../chat-context.ts'
import { isTemporaryId } from '../chat-store.ts'
import { chatDeps } from '../chat-registry.ts'
import { listSources } from './artifact-sources.ts'
import { keepEdit } from './keep-edit.ts'

/** Media query of windows in which the sheet covers the conversation. */
const NARROW = '(width < 64rem)'

/** The artifacts of the conversation on the screen. */
export function ChatArtifacts({ place, onClose }: { place: ArtifactPlace; onClose: () => void }) {
  const { chat, quote } = useChatView()
  const { store } = chat
  const order = useStore(store, (state) => state.order)
  // The text of an answer is rendered before its artifacts.
  const messages = useDeferredValue(useStore(store, (state) => state.messages))
  const isGone = useStore(
    store,
    (state) => state.phase === 'ready' && !state.messages[place.messageId],
  )
  const sources = useMemo(
    () => listSources({ order, messages }, place.messageId),
    [order, messages, place.messageId],
  )
  useEffect(() => {
    if (isGone) onClose()
  }, [isGone, onClose])
  const chatId = useStore(store, (state) => state.chatId)
  const networks = useMemo(
    () => (chatId === null || isTemporaryId(chatId) ? passingNetworks() : chatNetworks(chatId)),
    [chatId],
  )
  return (
    <ArtifactPanel
      sources={sources}
      place={place}
      onClose={onClose}
      networks={networks}
      onSave={async (after, source) => {
        try {
          await keepEdit(store, chatDeps, after, source)
        } catch (thrown) {
          throw new Error(toSentence(thrown), { cause: thrown })
        }
      }}
      onAsk={(text) => {
        if (matchMedia(NARROW).matches) onClose()
        quote(text)
        setTimeout(() => runCommand('composer.focus'))
      }}
    />
  )
}
