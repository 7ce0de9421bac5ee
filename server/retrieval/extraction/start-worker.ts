import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { workerFile } from '../../config/worker-file.ts'
import { appPort, type AppListener, type AppPort, type LinePort } from '../../lib/app-port.ts'
import type { ExtractionJob, WorkerReport } from './protocol.ts'

/** A running worker, regardless of how it was started. */
export interface ExtractionWorker {
  send(job: ExtractionJob): void
  onReport(listener: (report: WorkerReport) => void): void
  /** Called once. `ranOutOfMemory` distinguishes reaching the limit from other ends. */
  onEnd(listener: (ranOutOfMemory: boolean) => void): void
  /** Ends it immediately; settles when it has ended. */
  stop(): Promise<void>
}

/**
 * Size of the JavaScript heap; memory that libraries allocate outside it only counts for the limit
 * of the whole process.
 */
const HEAP_MEBIBYTES = 320
/**
 * V8 aborts a process with SIGABRT (or its exit code) when the heap is full; the worker kills
 * itself with SIGKILL at its limit.
 */
const MEMORY_SIGNALS = new Set(['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGILL'])
const ABORT_CODES = new Set([134, 133])
/**
 * Codes that Electron reports for a process that ended at a limit: the signal, or the exit code of
 * one that aborted.
 */
const MEMORY_CODES = new Set([5, 6, 9, 133, 134, 137])

/**
 * Starts a process that can only read files: no writing, no other processes, none of the gateway's
 * environment. The thread it may have watches its memory.
 */
function startProcess(): ExtractionWorker {
  const child = fork(workerFile(import.meta.dirname, 'extraction-worker'), [], {
    execArgv: [
      `--max-old-space-size=${HEAP_MEBIBYTES}`,
      '--permission',
      '--allow-fs-read=*',
      '--allow-worker',
      '--no-warnings',
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = Promise.withResolvers<boolean>()
  let isStopped = false
  child.once('exit', (code, signal) =>
    ended.resolve(
      !isStopped && ((signal !== null && MEMORY_SIGNALS.has(signal)) || ABORT_CODES.has(code ?? 0)),
    ),
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

type AppMessage = { readonly type?: string; readonly id?: string; readonly code?: number | null }

/**
 * @NOTE In the packaged app the fuse that would let Electron run as Node is off, so `fork` cannot
 *   work there. The app starts the process and passes a connection to it.
 */
function askApp(app: AppPort): ExtractionWorker {
  const id = randomUUID()
  const ended = Promise.withResolvers<boolean>()
  const line = Promise.withResolvers<LinePort>()
  const listeners: ((report: WorkerReport) => void)[] = []
  let isStopped = false
  const hear: AppListener = ({ data, ports }) => {
    const message = data as AppMessage
    if (message.id !== id) return
    if (message.type === 'reader-line' && ports[0]) {
      ports[0].on('message', (event) =>
        listeners.forEach((listener) => listener(event.data as WorkerReport)),
      )
      ports[0].start()
      line.resolve(ports[0])
    }
    if (message.type !== 'reader-ended') return
    app.off('message', hear)
    ended.resolve(!isStopped && message.code !== null && MEMORY_CODES.has(message.code ?? 0))
  }
  app.on('message', hear)
  app.postMessage({ type: 'reader-start', id })
  return {
    send: (job) => void line.promise.then((port) => port.postMessage(job)),
    onReport: (listener) => void listeners.push(listener),
    onEnd: (listener) => void ended.promise.then(listener),
    async stop() {
      isStopped = true
      app.postMessage({ type: 'reader-stop', id })
      await ended.promise
    },
  }
}

/** Starts a worker: directly under Node, through the app inside Electron. */
export const startWorker = (): ExtractionWorker => (appPort ? askApp(appPort) : startProcess())
