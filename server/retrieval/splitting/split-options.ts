import type { CountTokens } from './count-tokens.ts'

/** Parameters of splitting; sizes in tokens. */
export interface SplitOptions {
  readonly size: number
  readonly overlap: number
  /** Size below which chunks are joined with their neighbours if the maximum allows. */
  readonly minimum: number
  /** True if a heading starts a new chunk. */
  readonly breakAtHeadings: boolean
  readonly count: CountTokens
}
