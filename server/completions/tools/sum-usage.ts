/** Sums the token counts of several rounds into those of one answer. */
export interface UsageSum {
  /**
   * Records the counts of the current round; an upstream may report them more than once, and the
   * last report counts.
   */
  tell(usage: Record<string, unknown>): void
  endRound(): void
  /** Returns null if no round reported any. */
  total(): Record<string, unknown> | null
}

export function createUsageSum(): UsageSum {
  let sum: Record<string, unknown> | null = null
  let current: Record<string, unknown> | null = null
  return {
    tell(usage) {
      current = usage
    },
    endRound() {
      if (current) sum = addUsage(sum, current)
      current = null
    },
    total: () => sum,
  }
}

/**
 * Adds counts; a value that is not a number, such as details of the last round, is taken unchanged.
 */
export function addUsage(
  sum: Readonly<Record<string, unknown>> | null,
  more: Record<string, unknown>,
): Record<string, unknown> {
  if (sum === null) return more
  const entries = Object.entries(more).map(([name, value]) => {
    const before = sum[name]
    return [name, typeof before === 'number' && typeof value === 'number' ? before + value : value]
  })
  return { ...sum, ...(Object.fromEntries(entries) as Record<string, unknown>) }
}
