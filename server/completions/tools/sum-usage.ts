/** The token counts of several rounds as those of one answer. */
export interface UsageSum {
  /**
   * Counts of the round under way; an upstream may tell them more than once, and the last word
   * counts.
   */
  tell(usage: Record<string, unknown>): void
  endRound(): void
  /** Null when no round told any. */
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

/** Counts are added; what is no number, such as details of the last round, is taken as it comes. */
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
