const MOST_MISSES = 2

/**
 * Asks a process again and again. Reports when it leaves a question unanswered for two intervals,
 * and when it answers after all; the sleep of a computer counts as one interval. Returns a function
 * that ends the asking.
 */
export function watchAnswers(
  ask: () => Promise<unknown>,
  interval: number,
  onSilent: (isSilent: boolean) => void,
): () => void {
  let misses: number | null = null
  const handleAnswer = (): void => {
    if (misses !== null && misses >= MOST_MISSES) onSilent(false)
    misses = null
  }
  const timer = setInterval(() => {
    if (misses === null) {
      misses = 0
      // A process that ends answers no more, which its exit reports.
      void ask().then(handleAnswer, () => undefined)
    } else if (++misses === MOST_MISSES) onSilent(true)
  }, interval)
  return () => clearInterval(timer)
}
