import { Worker } from 'node:worker_threads'

/**
 * Resident memory at which a worker process ends itself. Lower than 512 MiB by the amount it can
 * allocate between two checks.
 */
const LIMIT_BYTES = 440 * 1024 * 1024
const INTERVAL_MILLISECONDS = 20

// Source text, because it must start fast without a separate file. A thread keeps running while the
// main one is busy in a library.
const WATCH = `
  const { workerData } = require('node:worker_threads')
  const parent = process.ppid
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData.limit || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, workerData.interval)`

/** Ends this process when it uses too much memory, or when the gateway has ended. */
export function watchMemory(): void {
  const thread = new Worker(WATCH, {
    eval: true,
    workerData: { limit: LIMIT_BYTES, interval: INTERVAL_MILLISECONDS },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  })
  thread.unref()
}
