import { expect, test } from 'vitest'
import type { RequestRecord } from '#contract/requests.ts'
import { toBuckets } from './call-buckets.ts'

const call = (time: number, status = 200, tokens: number | null = null): RequestRecord =>
  ({
    time,
    status,
    usage: tokens === null ? null : { total_tokens: tokens },
  }) as unknown as RequestRecord

test('calls are counted in equal spans without gaps, failures and tokens too', () => {
  expect(toBuckets([])).toEqual([])
  expect(toBuckets([call(5000, 404), call(3000, 200, 7), call(3500, 200, 5)])).toEqual([
    { time: 3000, calls: 2, failed: 0, tokens: 12 },
    { time: 4000, calls: 0, failed: 0, tokens: 0 },
    { time: 5000, calls: 1, failed: 1, tokens: 0 },
  ])
})

test('a long time is cut into few spans', () => {
  for (const length of [10_000, 3_600_000, 86_400_000, 9_000_000_000]) {
    const buckets = toBuckets([call(1_700_000_000_000), call(1_700_000_000_000 + length)])
    expect(buckets.length).toBeLessThanOrEqual(31)
    expect(buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(2)
  }
})
