import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import type { Chat } from '#contract/chats.ts'
import { ArtifactsContext } from '../../ui/artifacts/artifacts-context.ts'
import { readEdits } from '../../ui/artifacts/collect-artifacts.ts'
import type { ArtifactPlace } from '../../ui/artifacts/use-artifact.ts'

const Opener = lazy(async () => ({
  default: (await import('../../ui/artifacts/artifact-opener.tsx')).ArtifactOpener,
}))
const ArtifactPanel = lazy(async () => ({
  default: (await import('../../ui/artifacts/artifact-panel.tsx')).ArtifactPanel,
}))

export interface SharedArtifacts {
  /** Lets the code in an answer be opened beside the chat. */
  readonly around: (messageId: string, text: string, drawn: ReactNode) => ReactNode
  /** What is open, to be looked at only. */
  readonly panel: ReactNode
}

/** The artifacts of a chat somebody else shared. */
export function useSharedArtifacts(chat: Chat | null): SharedArtifacts {
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
    panel: place && (
      <Suspense>
        <ArtifactPanel
          key={`${place.messageId}:${place.block}`}
          sources={sources}
          place={place}
          onClose={() => setPlace(null)}
        />
      </Suspense>
    ),
  }
}
