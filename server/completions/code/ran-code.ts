import type { CodeResult } from '#contract/code.ts'

/** Executed code of a model, with the output for the model and the output for the user. */
export interface RanCode {
  readonly id: string
  readonly code: string
  readonly text: string
  readonly result: CodeResult
  readonly files: readonly Readonly<Record<string, unknown>>[]
}
