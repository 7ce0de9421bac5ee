// Loaded into a gateway with --import: measures how late its event loop runs and what processor time it takes, from one
// message of the parent to the next.
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds: how late the loop ran, and the processor time of all threads. */
export interface LoopAnswer {
  readonly p99: number
  readonly max: number
  readonly cpu: number
}

const RESOLUTION_MILLISECONDS = 5
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS })
const toMilliseconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MILLISECONDS)
let usage = process.cpuUsage()

function answer(): LoopAnswer {
  const { user, system } = process.cpuUsage(usage)
  return { p99: toMilliseconds(histogram.percentile(99)), max: toMilliseconds(histogram.max), cpu: (user + system) / 1000 }
}

process.on('message', (message) => {
  if (message === 'begin') {
    usage = process.cpuUsage()
    histogram.reset()
    histogram.enable()
  }
  if (message === 'end') process.send?.(answer())
})
process.channel?.unref()
