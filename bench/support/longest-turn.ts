const RESOLUTION_MILLISECONDS = 5

/**
 * Watches the event loop of this thread; the returned function returns the processor time of its
 * longest turn, which other processes do not affect.
 */
export function watchTurns(): () => number {
  let usage = process.threadCpuUsage()
  let longest = 0
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(usage)
    longest = Math.max(longest, (user + system) / 1000)
    usage = process.threadCpuUsage()
  }, RESOLUTION_MILLISECONDS)
  return () => {
    clearInterval(timer)
    return Math.max(0, longest - RESOLUTION_MILLISECONDS)
  }
}
