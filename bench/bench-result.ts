/** Level of a goal that a figure reached; `shown` for figures without a goal of their own. */
export type Reached = 'moonshot' | 'hold' | 'missed' | 'shown'

/** One figure of a benchmark. `hold` and `moonshot` repeat the goal in words or numbers. */
export interface BenchRow {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly hold?: number | string
  readonly moonshot?: number | string
  readonly reached: Reached
}

/** Results of a benchmark for one goal, such as `P14`. */
export interface BenchResult {
  readonly goal: string
  readonly rows: readonly BenchRow[]
  readonly notes?: readonly string[]
}

/** Judges a figure for which less is better. */
export function judgeAtMost(value: number, goal: { hold: number; moonshot: number }): Reached {
  return value <= goal.moonshot ? 'moonshot' : value <= goal.hold ? 'hold' : 'missed'
}

/** Judges a figure for which more is better. */
export function judgeAtLeast(value: number, goal: { hold: number; moonshot: number }): Reached {
  return value >= goal.moonshot ? 'moonshot' : value >= goal.hold ? 'hold' : 'missed'
}

/** Returns the median; the mean of the two middle values for an even count. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Returns the value that `share` of all values do not exceed, for instance 0.99. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!
}
