import type { CodeResult } from '#contract/code.ts'

/** Code a model had run: what it is told, and what the person gets. */
export interface RanCode {
  readonly id: string
  readonly code: string
  readonly text: string
  readonly result: CodeResult
  readonly files: readonly Readonly<Record<string, unknown>>[]
}
