import type { RequestRecord } from '#contract/requests.ts'

/** Calls within one interval. */
export interface CallBucket {
  /** Start of the interval, unix milliseconds. */
  readonly time: number
  readonly calls: number
  /** Number of failed calls among them. */
  readonly failed: number
  readonly tokens: number
}

/** Possible interval lengths of a chart, in milliseconds. */
const SPANS = [1, 5, 15, 60, 300, 900, 3600, 10_800, 43_200, 86_400].map((each) => each * 1000)
const MOST_BUCKETS = 30

const MINUTE = 60_000

/** Returns true if there are calls of more than one minute; fewer form no course over time. */
export const spansMinutes = (records: readonly RequestRecord[]): boolean =>
  new Set(records.map(({ time }) => Math.floor(time / MINUTE))).size > 1

const tokensOf = ({ usage }: RequestRecord): number => usage?.total_tokens ?? 0

/** Returns calls and tokens over time, oldest first, in equal intervals without gaps. */
export function toBuckets(records: readonly RequestRecord[]): readonly CallBucket[] {
  if (records.length === 0) return []
  const times = records.map(({ time }) => time)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const span =
    SPANS.find((each) => (last - first) / each < MOST_BUCKETS - 1) ??
    Math.ceil((last - first) / (MOST_BUCKETS - 1))
  const start = Math.floor(first / span) * span
  const count = Math.floor((last - start) / span) + 1
  const buckets = Array.from({ length: count }, (_, index) => ({
    time: start + index * span,
    calls: 0,
    failed: 0,
    tokens: 0,
  }))
  for (const record of records) {
    const bucket = buckets[Math.floor((record.time - start) / span)]!
    bucket.calls += 1
    if (record.status >= 400) bucket.failed += 1
    bucket.tokens += tokensOf(record)
  }
  return buckets
}
