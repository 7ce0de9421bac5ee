// Loaded into a gateway with --import: measures the delay of its event loop from one message of the
// parent to the next, and the processor time: that of its longest turn, which other processes do
// not affect, and that of all threads.
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Figures in milliseconds: delay of the loop, and processor time. */
export interface LoopAnswer {
  readonly p99: number
  readonly max: number
  /** Processor time of the longest turn of the loop. */
  readonly processor: number
  /** Processor time of all threads from begin to end. */
  readonly cpu: number
}

const RESOLUTION_MILLISECONDS = 5
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS })
const toMilliseconds = (nanoseconds: number) =>
  Math.max(0, nanoseconds / 1e6 - RESOLUTION_MILLISECONDS)
const sumOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

let usageAtBegin = process.cpuUsage()
let usage = process.threadCpuUsage()
let longest = 0
let turnBegan = 0
let latest = 0
let timer: NodeJS.Timeout | undefined

/**
 * Runs in nearly every turn of a busy loop, so that the time between two calls is one turn and a
 * little more.
 */
function takeTurn(): void {
  const now = performance.now()
  latest = Math.max(latest, now - turnBegan)
  turnBegan = now
  longest = Math.max(longest, sumOf(process.threadCpuUsage(usage)))
  usage = process.threadCpuUsage()
}

function answer(): LoopAnswer {
  return {
    p99: toMilliseconds(histogram.percentile(99)),
    // The histogram omits the first turn after it was reset.
    max: Math.max(toMilliseconds(histogram.max), latest - RESOLUTION_MILLISECONDS),
    processor: Math.max(0, longest - RESOLUTION_MILLISECONDS),
    cpu: sumOf(process.cpuUsage(usageAtBegin)),
  }
}

process.on('message', (message) => {
  if (message === 'begin') {
    histogram.reset()
    histogram.enable()
    usageAtBegin = process.cpuUsage()
    usage = process.threadCpuUsage()
    longest = 0
    turnBegan = performance.now()
    latest = 0
    timer ??= setInterval(takeTurn, RESOLUTION_MILLISECONDS).unref()
  }
  if (message === 'end') {
    takeTurn()
    clearInterval(timer)
    timer = undefined
    process.send?.(answer())
  }
})
process.channel?.unref()
