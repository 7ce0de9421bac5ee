import { ServiceError, badRequest } from '../../lib/errors.ts'
import type { ExtractedDocument } from './document.ts'
import type { ExtractionOptions } from './extraction-options.ts'
import type { ExtractionJob, WorkerReport } from './protocol.ts'
import type { ExtractionWorker } from './start-worker.ts'

export interface PoolOptions {
  readonly size: number
  readonly startWorker: () => ExtractionWorker
}

export interface PooledJob extends ExtractionOptions {
  readonly job: ExtractionJob
  /** In milliseconds, from the start of the worker's job. */
  readonly timeLimit: number
}

/** Milliseconds for which an idle worker is kept. */
const IDLE_TIME = 20_000
/**
 * Number of documents after which a worker is replaced, so that leaks of libraries do not
 * accumulate.
 */
const JOBS_PER_WORKER = 40

const STOPPED = 'Reading the document was stopped.'
const TOO_MUCH_MEMORY =
  'The document needs more memory to be read than is allowed. Split it, or save it in a simpler format.'
const CRASHED = 'The document could not be read: the program that reads it ended unexpectedly.'

const refuse = (message: string, cause?: unknown): ServiceError =>
  new ServiceError(422, message, { code: 'unreadable_document', cause })
const tooSlow = (milliseconds: number): ServiceError =>
  refuse(
    `The document could not be read within ${Math.round(milliseconds / 1000)} seconds. Split it, or save it in a simpler format.`,
  )

/** A worker with the listeners of its current job. */
interface Slot {
  readonly worker: ExtractionWorker
  jobs: number
  isSpent: boolean
  idleTimer: NodeJS.Timeout | undefined
  onReport: (report: WorkerReport) => void
  onEnd: (ranOutOfMemory: boolean) => void
}

const ignore = (): void => undefined

/**
 * Runs one job in a worker. Resolves with its result, which may be a refusal; rejects if the worker
 * must be ended or has ended itself.
 */
function runJob(slot: Slot, { job, timeLimit, signal, onProgress }: PooledJob) {
  const { promise, resolve, reject } = Promise.withResolvers<ExtractedDocument | ServiceError>()
  // Appended piece by piece, because joining a list at the end would hold a large text twice.
  let text = ''
  const stop = (): void => reject(badRequest(STOPPED, { code: 'stopped' }))
  const timer = setTimeout(() => reject(tooSlow(timeLimit)), timeLimit)
  slot.onReport = (report) => {
    if (report.type === 'part') text += report.text
    else if (report.type === 'progress') onProgress?.(report.done, report.total)
    else {
      slot.isSpent = report.isSpent
      resolve(
        report.type === 'done'
          ? { text, ...report.document }
          : refuse(report.message, report.cause),
      )
    }
  }
  slot.onEnd = (ranOutOfMemory) => reject(refuse(ranOutOfMemory ? TOO_MUCH_MEMORY : CRASHED))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  else slot.worker.send(job)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    slot.onReport = ignore
    slot.onEnd = ignore
  })
}

/**
 * Keeps up to `size` workers, started when needed and ended when idle; a job waits for its turn.
 */
export class WorkerPool {
  readonly #size
  readonly #startWorker
  readonly #idle: Slot[] = []
  readonly #waiting: (() => void)[] = []
  #turns = 0
  readonly #ending = new Set<Promise<void>>()
  readonly #closing = new AbortController()

  constructor({ size, startWorker }: PoolOptions) {
    this.#size = size
    this.#startWorker = startWorker
  }

  async run(pooled: PooledJob): Promise<ExtractedDocument> {
    const signal = AbortSignal.any([pooled.signal, this.#closing.signal])
    if (signal.aborted) throw badRequest(STOPPED, { code: 'stopped' })
    await this.#takeTurn(signal)
    const slot = this.#idle.pop() ?? this.#start()
    clearTimeout(slot.idleTimer)
    slot.jobs += 1
    let hasAnswered = false
    try {
      const answer = await runJob(slot, { ...pooled, signal })
      hasAnswered = true
      if (answer instanceof ServiceError) throw answer
      return answer
    } finally {
      if (hasAnswered) this.#putBack(slot)
      else this.#end(slot)
      this.#endTurn()
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const slot of this.#idle.splice(0)) this.#end(slot)
    // Running jobs have been rejected by now and end their workers in their own turns.
    while (this.#turns > 0) await new Promise((resolve) => setImmediate(resolve))
    await Promise.all(this.#ending)
  }

  #end(slot: Slot): void {
    clearTimeout(slot.idleTimer)
    const stopped = slot.worker.stop()
    this.#ending.add(stopped)
    void stopped.finally(() => this.#ending.delete(stopped))
  }

  #start(): Slot {
    const slot: Slot = {
      worker: this.#startWorker(),
      jobs: 0,
      isSpent: false,
      idleTimer: undefined,
      onReport: ignore,
      onEnd: ignore,
    }
    slot.worker.onReport((report) => slot.onReport(report))
    slot.worker.onEnd((ranOutOfMemory) => {
      const place = this.#idle.indexOf(slot)
      if (place !== -1) this.#idle.splice(place, 1)
      slot.onEnd(ranOutOfMemory)
    })
    return slot
  }

  #putBack(slot: Slot): void {
    if (slot.isSpent || slot.jobs >= JOBS_PER_WORKER || this.#closing.signal.aborted)
      return this.#end(slot)
    this.#idle.push(slot)
    slot.idleTimer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(slot), 1)
      this.#end(slot)
    }, IDLE_TIME)
    slot.idleTimer.unref()
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    if (this.#turns < this.#size) {
      this.#turns += 1
      return
    }
    const turn = Promise.withResolvers<void>()
    this.#waiting.push(turn.resolve)
    const leave = (): void => {
      const place = this.#waiting.indexOf(turn.resolve)
      if (place !== -1) this.#waiting.splice(place, 1)
      turn.reject(badRequest(STOPPED, { code: 'stopped' }))
    }
    signal.addEventListener('abort', leave, { once: true })
    await turn.promise.finally(() => signal.removeEventListener('abort', leave))
  }

  #endTurn(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#turns -= 1
  }
}
