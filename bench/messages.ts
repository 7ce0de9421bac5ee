import type { BenchResult } from './bench-result.ts'
import { compareDialect } from './support/compare-dialects.ts'

export const goals = ['P6']

export const run = (): Promise<BenchResult> =>
  compareDialect({
    goal: 'P6',
    name: 'messages API',
    path: '/api/v1/messages',
    body: { max_tokens: 256, messages: [{ role: 'user', content: 'Hello' }] },
  })
