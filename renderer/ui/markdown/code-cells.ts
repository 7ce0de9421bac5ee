import { type ComponentType, createContext } from 'react'

/** A code block in a message. */
export interface CodePiece {
  readonly code: string
  readonly language: string
}

/** Components that run code inline. */
export interface CodeCellParts {
  /** Buttons in the bar of a block. */
  readonly Controls: ComponentType<CodePiece>
  /** Result, below the block. */
  readonly Output: ComponentType<CodePiece>
}

/** Context of a message whose code can be run. */
export interface CodeCells extends CodeCellParts {
  readonly chatId: string
  readonly messageId: string
  /** Returns the stored files of the conversation, which code accesses by name. */
  listFiles(): readonly { readonly id: string; readonly name: string }[]
}

/** Null if code is only displayed. */
export const CodeCellsContext = createContext<CodeCells | null>(null)

const RUNNABLE = /^(py|py3|python|python3)$/i

export const canRun = (language: string): boolean => RUNNABLE.test(language)
