import { type ComponentType, createContext } from 'react'
import type { CodePiece } from '../markdown/code-cells.ts'

/** Opener for the code of an answer. */
export interface ArtifactOpener {
  readonly Opener: ComponentType<CodePiece>
  readonly messageId: string
  /** Returns the current text that contains the code. */
  readText(): string
  open(messageId: string, block: number): void
}

/** Null where code is only shown inline. */
export const ArtifactsContext = createContext<ArtifactOpener | null>(null)
