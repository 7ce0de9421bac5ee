import { Worker } from 'node:worker_threads'

/**
 * Resident memory at which a worker process ends itself. Below 512 MiB by what it can take between
 * two looks.
 */
const LIMIT_BYTES = 440 * 1024 * 1024
const INTERVAL_MILLISECONDS = 20

// Text, because it must start fast and be no file of its own. A thread still runs while the main
// one is busy in a library.
const WATCH = `
  const { workerData } = require('node:worker_threads')
  const parent = process.ppid
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData.limit || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, workerData.interval)`

/** Ends this process when it takes too much memory, or when the gateway is gone. */
export function watchMemory(): void {
  const thread = new Worker(WATCH, {
    eval: true,
    workerData: { limit: LIMIT_BYTES, interval: INTERVAL_MILLISECONDS },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  })
  thread.unref()
}
