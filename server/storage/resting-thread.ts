import { Worker, type WorkerOptions } from 'node:worker_threads'
import { workerFile } from '../config/worker-file.ts'

const CLOSE_MILLISECONDS = 1000

/** Options of a thread and its listeners. */
export interface RestingThreadOptions<Report> extends Pick<
  WorkerOptions,
  'workerData' | 'resourceLimits'
> {
  /** Name of the file in `folder`, and of the bundled file, without extension. */
  readonly name: string
  /** `import.meta.dirname` of the caller. */
  readonly folder: string
  readonly restMilliseconds: number
  readonly onReport: (report: Report) => void
  /** Called when the thread has died: its current work is lost. */
  readonly onLost: (reason: Error) => void
}

/** A thread that is started by the first message, and ended after an idle time. */
export class RestingThread<Command extends { readonly type: string }, Report> {
  readonly #options: RestingThreadOptions<Report>
  #worker: Worker | null = null
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: RestingThreadOptions<Report>) {
    this.#options = options
  }

  /** Throws after `close`. `given` is transferred instead of copied. */
  post(command: Command, given: readonly ArrayBuffer[] = []): void {
    clearTimeout(this.#timer)
    this.#worker ??= this.#open()
    this.#worker.postMessage(command, given)
  }

  /** Reports that the thread is idle; starts the idle time. */
  rest(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => void this.#end('The thread had rested.'),
      this.#options.restMilliseconds,
    ).unref()
  }

  /** Asks the thread to end, and terminates it after a second at most. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end('The thread was closed.')
  }

  #open(): Worker {
    const { folder, name, workerData, resourceLimits, onLost, onReport } = this.#options
    if (this.#isClosed) throw new Error('The thread was closed.')
    // The thread does not inherit the start options of this process.
    const opened = new Worker(workerFile(folder, name), {
      workerData: workerData as unknown,
      resourceLimits,
      execArgv: [],
    })
    opened.unref()
    const lose = (reason: Error): void => {
      if (this.#worker !== opened) return
      this.#worker = null
      onLost(reason)
    }
    opened.on('message', onReport)
    opened.once('error', lose)
    opened.once('exit', (code) =>
      lose(new Error(`The thread ${name} ended early with code ${code}.`)),
    )
    return opened
  }

  async #end(reason: string): Promise<void> {
    const ending = this.#worker
    this.#worker = null
    clearTimeout(this.#timer)
    if (!ending) return
    this.#options.onLost(new Error(reason))
    const exited = new Promise<void>((resolve) => void ending.once('exit', () => resolve()))
    ending.postMessage({ type: 'close' })
    const force = setTimeout(() => void ending.terminate(), CLOSE_MILLISECONDS)
    await exited
    clearTimeout(force)
  }
}
