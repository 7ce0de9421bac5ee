import type { GrammarName } from './grammar-names.ts'

/** A coloured part of one line: the text and its colours in the light and dark theme. */
export type ColouredToken = readonly [text: string, light: string | null, dark: string | null]
export type ColouredLine = readonly ColouredToken[]

export interface HighlightRequest {
  readonly id: number
  readonly code: string
  readonly grammar: GrammarName
}

export interface HighlightReply {
  readonly id: number
  /** Null if the code could not be highlighted. */
  readonly lines: readonly ColouredLine[] | null
}
