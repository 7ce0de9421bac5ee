import { type ReactNode, Suspense, useMemo, useState } from 'react'
import type { Chat } from '#contract/chats.ts'
import { passingNetworks } from './artifact-networks.ts'
import { ArtifactsContext } from './artifacts-context.ts'
import { readEdits } from './collect-artifacts.ts'
import type { ArtifactPlace } from './use-artifact.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const Opener = lazyPart(() => import('./artifact-opener.tsx'), 'ArtifactOpener')
const ArtifactPanel = lazyPart(() => import('./artifact-panel.tsx'), 'ArtifactPanel')

export interface ReadOnlyArtifacts {
  /** Wraps an answer so that its code can be opened beside the chat. */
  readonly around: (messageId: string, text: string, drawn: ReactNode) => ReactNode
  /** The open artifact, read-only; null if none is open. */
  readonly panel: ReactNode
  readonly close: () => void
}

/** Provides the artifacts of a read-only chat: another user's, or one from a snapshot. */
export function useReadOnlyArtifacts(chat: Chat | null): ReadOnlyArtifacts {
  const [networks] = useState(passingNetworks)
  const [place, setPlace] = useState<ArtifactPlace | null>(null)
  const sources = useMemo(
    () =>
      (chat?.chat.messages ?? [])
        .filter(({ role }) => role === 'assistant')
        .map(({ id, content, artifacts }) => ({
          messageId: id,
          text: content,
          isGrowing: false,
          edits: readEdits(artifacts),
        })),
    [chat],
  )
  return {
    around: (messageId, text, drawn) => (
      <ArtifactsContext
        value={{
          Opener,
          messageId,
          readText: () => text,
          open: (id, block) => setPlace({ messageId: id, block }),
        }}
      >
        {drawn}
      </ArtifactsContext>
    ),
    close: () => setPlace(null),
    panel: place && (
      <Suspense>
        <ArtifactPanel
          key={`${place.messageId}:${place.block}`}
          sources={sources}
          place={place}
          onClose={() => setPlace(null)}
          networks={networks}
        />
      </Suspense>
    ),
  }
}
