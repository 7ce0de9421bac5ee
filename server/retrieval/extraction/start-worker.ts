import { fork } from 'node:child_process'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { readProgram } from '../../config/program.ts'
import type { ExtractionJob, WorkerReport } from './protocol.ts'

/** A running worker, whichever way it was started. */
export interface ExtractionWorker {
  send(job: ExtractionJob): void
  onReport(listener: (report: WorkerReport) => void): void
  /** Called once. `ranOutOfMemory` tells the end at a limit from any other. */
  onEnd(listener: (ranOutOfMemory: boolean) => void): void
  /** Ends it at once; settles when it is gone. */
  stop(): Promise<void>
}

/** Of the JavaScript heap; what libraries allocate outside it counts for the limit of the whole process only. */
const HEAP_MEBIBYTES = 320
/** V8 ends a process with SIGABRT (or its exit code) when the heap is full; the worker ends itself with SIGKILL at its limit. */
const MEMORY_SIGNALS = new Set(['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGILL'])
const ABORT_CODES = new Set([134, 133])

/** TypeScript beside this module when run from the sources; once bundled, a file of its own beside the server's entry. */
function workerFile(): string {
  const isBundled = import.meta.filename.endsWith('.js')
  if (!isBundled) return path.join(import.meta.dirname, 'worker.ts')
  return path.join(readProgram().folder, 'out', 'server', 'extraction-worker.js')
}

/**
 * A process that can read files and nothing else: no writing, no other processes, none of the gateway's environment.
 * The thread it may have is the one that watches its memory.
 */
function startProcess(): ExtractionWorker {
  const child = fork(workerFile(), [], {
    execArgv: [`--max-old-space-size=${HEAP_MEBIBYTES}`, '--permission', '--allow-fs-read=*', '--allow-worker', '--no-warnings'],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = Promise.withResolvers<boolean>()
  let isStopped = false
  child.once('exit', (code, signal) =>
    ended.resolve(!isStopped && ((signal !== null && MEMORY_SIGNALS.has(signal)) || ABORT_CODES.has(code ?? 0))),
  )
  child.once('error', () => ended.resolve(false))
  return {
    // A failed send is followed by the end of the process, which is reported.
    send: (job) => void child.send(job, () => undefined),
    onReport: (listener) => void child.on('message', listener),
    onEnd: (listener) => void ended.promise.then(listener),
    async stop() {
      isStopped = true
      child.kill('SIGKILL')
      await ended.promise
    },
  }
}

/** @NOTE In the packaged app the fuse that would let Electron run as Node is off, so `fork` cannot work there. */
function startThread(): ExtractionWorker {
  const thread = new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEBIBYTES }, env: {} })
  const ended = Promise.withResolvers<boolean>()
  thread.once('error', (error: Error & { code?: string }) => ended.resolve(error.code === 'ERR_WORKER_OUT_OF_MEMORY'))
  thread.once('exit', () => ended.resolve(false))
  return {
    send: (job) => thread.postMessage(job),
    onReport: (listener) => void thread.on('message', listener),
    onEnd: (listener) => void ended.promise.then(listener),
    async stop() {
      await thread.terminate()
    },
  }
}

export function startWorker(kind: 'process' | 'thread'): ExtractionWorker {
  return kind === 'thread' ? startThread() : startProcess()
}
