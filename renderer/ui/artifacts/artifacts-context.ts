import { type ComponentType, createContext } from 'react'
import type { CodePiece } from '../markdown/code-cells.ts'

/** What opens the code of an answer beside it. */
export interface ArtifactOpener {
  readonly Opener: ComponentType<CodePiece>
  readonly messageId: string
  /** The text the code stands in, as it is now. */
  readText(): string
  open(messageId: string, block: number): void
}

/** Null where code is only shown in its place. */
export const ArtifactsContext = createContext<ArtifactOpener | null>(null)
