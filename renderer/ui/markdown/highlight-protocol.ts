import type { GrammarName } from './grammar-names.ts'

/** A coloured stretch of one line: the text and its colours by day and by night. */
export type ColouredToken = readonly [text: string, light: string | null, dark: string | null]
export type ColouredLine = readonly ColouredToken[]

export interface HighlightRequest {
  readonly id: number
  readonly code: string
  readonly grammar: GrammarName
}

export interface HighlightReply {
  readonly id: number
  /** Null when the code could not be coloured. */
  readonly lines: readonly ColouredLine[] | null
}
