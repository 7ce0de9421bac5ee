/**
 * Returns a function that reports for each call whether there were more than `limit` in the current
 * second.
 */
export function createRateCheck(limit: number): () => boolean {
  let windowStart = 0
  let count = 0
  return () => {
    const now = performance.now()
    if (now - windowStart >= 1000) {
      windowStart = now
      count = 0
    }
    count += 1
    return count > limit
  }
}
