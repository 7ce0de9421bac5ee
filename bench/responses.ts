import type { BenchResult } from './bench-result.ts'
import { compareDialect } from './support/compare-dialects.ts'

// The goal has no row of its own in the list; it is measured like P6.
export const goals = ['P6']

export const run = (): Promise<BenchResult> =>
  compareDialect({
    goal: 'P6',
    name: 'responses API',
    path: '/openai/responses',
    body: { input: 'Hello' },
  })
