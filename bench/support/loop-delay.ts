// Loaded into a gateway with --import: measures how late its event loop runs, from one message of the parent to the next.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MILLISECONDS = 5
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS })
const toMilliseconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MILLISECONDS)

process.on('message', (message) => {
  if (message === 'begin') {
    histogram.reset()
    histogram.enable()
  }
  if (message === 'end') process.send?.({ p99: toMilliseconds(histogram.percentile(99)), max: toMilliseconds(histogram.max) })
})
process.channel?.unref()
