import { useMemo, useState } from 'react'
import {
  type Artifact,
  type ArtifactSource,
  type ArtifactVersion,
  collectArtifacts,
} from './collect-artifacts.ts'

/** A code block of an answer, by its indices. */
export interface ArtifactPlace {
  readonly messageId: string
  readonly block: number
}

export interface ShownArtifact {
  readonly artifacts: readonly Artifact[]
  readonly artifact: Artifact
  readonly version: ArtifactVersion
  /** Zero-based index of the version. */
  readonly index: number
  readonly choose: (artifactId: string) => void
  readonly step: (index: number) => void
}

/** A null version means the newest, including any added later. */
interface Choice {
  readonly artifactId: string | null
  readonly versionId: string | null
}

const isAt = (version: ArtifactVersion, { messageId, block }: ArtifactPlace): boolean =>
  version.messageId === messageId && version.block === block

/** Returns the initial choice: the newest version of the requested code block. */
function openAt(artifacts: readonly Artifact[], place: ArtifactPlace): Choice {
  const artifact = artifacts.find(({ versions }) => versions.some((each) => isAt(each, place)))
  const version = artifact?.versions.findLast((each) => isAt(each, place))
  const isNewest = version === artifact?.versions.at(-1)
  return {
    artifactId: artifact?.id ?? null,
    versionId: isNewest || !version ? null : version.id,
  }
}

/** Returns the displayed artifact; null if it is no longer in the conversation. */
export function useArtifact(
  sources: readonly ArtifactSource[],
  place: ArtifactPlace,
): ShownArtifact | null {
  const artifacts = useMemo(() => collectArtifacts(sources), [sources])
  const [choice, setChoice] = useState(() => openAt(artifacts, place))
  const artifact =
    artifacts.find(({ id }) => id === choice.artifactId) ??
    // While streaming it was recognised as a newer version of another artifact.
    artifacts.find(({ versions }) => versions.some((each) => isAt(each, place)))
  if (!artifact) return null
  const found = artifact.versions.findIndex(({ id }) => id === choice.versionId)
  const index = found === -1 ? artifact.versions.length - 1 : found
  return {
    artifacts,
    artifact,
    version: artifact.versions[index]!,
    index,
    choose: (artifactId) => setChoice({ artifactId, versionId: null }),
    step(next) {
      const isNewest = next >= artifact.versions.length - 1
      setChoice({
        artifactId: artifact.id,
        versionId: isNewest ? null : (artifact.versions[next]?.id ?? null),
      })
    },
  }
}
