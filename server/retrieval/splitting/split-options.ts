import type { CountTokens } from './count-tokens.ts'

/** How documents are cut; sizes in tokens. */
export interface SplitOptions {
  readonly size: number
  readonly overlap: number
  /** Chunks below this are joined with their neighbours where the size allows. */
  readonly minimum: number
  /** Whether a heading begins a new chunk. */
  readonly breakAtHeadings: boolean
  readonly count: CountTokens
}
