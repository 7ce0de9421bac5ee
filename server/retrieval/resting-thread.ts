import path from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { readProgram } from '../config/program.ts'

const CLOSE_MILLISECONDS = 1000

/** A thread that is started by the first message, and ended when it has rested. */
export interface RestingThread<Command> {
  /** Throws after `close`. `given` changes hands instead of being copied. */
  post(command: Command, given?: readonly ArrayBuffer[]): void
  /** Says that nothing is under way; the rest begins. */
  rest(): void
  /** Asks the thread to end, and ends it a second later at most. */
  close(): Promise<void>
}

/** How a thread is started and listened to. */
export interface RestingThreadOptions<Report> extends Pick<
  WorkerOptions,
  'workerData' | 'resourceLimits'
> {
  /** Name of the file in this folder's `folder`, and of the bundled file, without its ending. */
  readonly name: string
  readonly folder: string
  readonly restMilliseconds: number
  readonly onReport: (report: Report) => void
  /** The thread is gone: whatever it was doing is lost. */
  readonly onLost: (reason: Error) => void
}

/** TypeScript in the sources; once bundled, a file of its own beside the server's entry. */
function workerFile(folder: string, name: string): string {
  const isBundled = import.meta.filename.endsWith('.js')
  return isBundled
    ? path.join(readProgram().folder, 'out', 'server', `${name}.js`)
    : path.join(import.meta.dirname, folder, `${name}.ts`)
}

export function createRestingThread<Command extends { readonly type: string }, Report>(
  options: RestingThreadOptions<Report>,
): RestingThread<Command | { type: 'close' }> {
  const { folder, name, onLost, onReport, resourceLimits, restMilliseconds, workerData } = options
  let worker: Worker | null = null
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  function open(): Worker {
    if (isClosed) throw new Error('The index of documents was closed.')
    // Nothing of how this process was started concerns the thread.
    const opened = new Worker(workerFile(folder, name), {
      workerData: workerData as unknown,
      resourceLimits,
      execArgv: [],
    })
    opened.unref()
    const lose = (reason: Error): void => {
      if (worker !== opened) return
      worker = null
      onLost(reason)
    }
    opened.on('message', onReport)
    opened.once('error', lose)
    opened.once('exit', (code) =>
      lose(new Error(`The thread ${name} ended early with code ${code}.`)),
    )
    return opened
  }

  async function end(reason: string): Promise<void> {
    const ending = worker
    worker = null
    clearTimeout(timer)
    if (!ending) return
    onLost(new Error(reason))
    const exited = new Promise<void>((resolve) => void ending.once('exit', () => resolve()))
    ending.postMessage({ type: 'close' })
    const force = setTimeout(() => void ending.terminate(), CLOSE_MILLISECONDS)
    await exited
    clearTimeout(force)
  }

  return {
    post(command, given = []) {
      clearTimeout(timer)
      worker ??= open()
      worker.postMessage(command, given)
    },
    rest() {
      clearTimeout(timer)
      timer = setTimeout(() => void end('The thread had rested.'), restMilliseconds).unref()
    },
    async close() {
      isClosed = true
      await end('The index of documents was closed.')
    },
  }
}
