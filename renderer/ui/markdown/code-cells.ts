import { type ComponentType, createContext } from 'react'

/** A piece of code that stands in a message. */
export interface CodePiece {
  readonly code: string
  readonly language: string
}

/** What runs code where it stands. */
export interface CodeCellParts {
  /** Buttons in the bar of a block. */
  readonly Controls: ComponentType<CodePiece>
  /** What came of it, below the block. */
  readonly Output: ComponentType<CodePiece>
}

/** The message whose code can be run. */
export interface CodeCells extends CodeCellParts {
  readonly chatId: string
  readonly messageId: string
  /** Stored files of the conversation, which code finds by their names. */
  listFiles(): readonly { readonly id: string; readonly name: string }[]
}

/** Null where code is only shown. */
export const CodeCellsContext = createContext<CodeCells | null>(null)

const RUNNABLE = /^(py|py3|python|python3)$/i

export const canRun = (language: string): boolean => RUNNABLE.test(language)
