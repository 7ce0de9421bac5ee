import { ServiceError, badRequest } from '../../lib/errors.ts'
import type { ExtractedDocument } from './document.ts'
import type { ExtractionOptions } from './index.ts'
import type { ExtractionJob, WorkerReport } from './protocol.ts'
import type { ExtractionWorker } from './start-worker.ts'

export interface PoolOptions {
  readonly size: number
  readonly startWorker: () => ExtractionWorker
}

export interface PooledJob extends ExtractionOptions {
  readonly job: ExtractionJob
  /** In milliseconds, from the moment a worker begins. */
  readonly timeLimit: number
}

export interface WorkerPool {
  run(job: PooledJob): Promise<ExtractedDocument>
  close(): Promise<void>
}

/** Milliseconds a worker without work is kept. */
const IDLE_TIME = 20_000
/**
 * After this many documents a worker is replaced, so that nothing libraries leave behind adds up.
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

/** A worker with the listeners of the job it does. */
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
 * Does one job in a worker. Resolves with its answer, be it a refusal; rejects when the worker has
 * to be ended or ended itself.
 */
function runJob(slot: Slot, { job, timeLimit, signal, onProgress }: PooledJob) {
  const { promise, resolve, reject } = Promise.withResolvers<ExtractedDocument | ServiceError>()
  // Grown piece by piece, because joining a list at the end would hold a large text twice.
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
export function createWorkerPool({ size, startWorker }: PoolOptions): WorkerPool {
  const idle: Slot[] = []
  const waiting: (() => void)[] = []
  let turns = 0
  const ending = new Set<Promise<void>>()
  const closing = new AbortController()

  function end(slot: Slot): void {
    clearTimeout(slot.idleTimer)
    const stopped = slot.worker.stop()
    ending.add(stopped)
    void stopped.finally(() => ending.delete(stopped))
  }

  function start(): Slot {
    const slot: Slot = {
      worker: startWorker(),
      jobs: 0,
      isSpent: false,
      idleTimer: undefined,
      onReport: ignore,
      onEnd: ignore,
    }
    slot.worker.onReport((report) => slot.onReport(report))
    slot.worker.onEnd((ranOutOfMemory) => {
      const place = idle.indexOf(slot)
      if (place !== -1) idle.splice(place, 1)
      slot.onEnd(ranOutOfMemory)
    })
    return slot
  }

  function putBack(slot: Slot): void {
    if (slot.isSpent || slot.jobs >= JOBS_PER_WORKER || closing.signal.aborted) return end(slot)
    idle.push(slot)
    slot.idleTimer = setTimeout(() => {
      idle.splice(idle.indexOf(slot), 1)
      end(slot)
    }, IDLE_TIME)
    slot.idleTimer.unref()
  }

  async function takeTurn(signal: AbortSignal): Promise<void> {
    if (turns < size) {
      turns += 1
      return
    }
    const turn = Promise.withResolvers<void>()
    waiting.push(turn.resolve)
    const leave = (): void => {
      const place = waiting.indexOf(turn.resolve)
      if (place !== -1) waiting.splice(place, 1)
      turn.reject(badRequest(STOPPED, { code: 'stopped' }))
    }
    signal.addEventListener('abort', leave, { once: true })
    await turn.promise.finally(() => signal.removeEventListener('abort', leave))
  }

  function endTurn(): void {
    const next = waiting.shift()
    if (next) next()
    else turns -= 1
  }

  return {
    async run(pooled) {
      const signal = AbortSignal.any([pooled.signal, closing.signal])
      if (signal.aborted) throw badRequest(STOPPED, { code: 'stopped' })
      await takeTurn(signal)
      const slot = idle.pop() ?? start()
      clearTimeout(slot.idleTimer)
      slot.jobs += 1
      let hasAnswered = false
      try {
        const answer = await runJob(slot, { ...pooled, signal })
        hasAnswered = true
        if (answer instanceof ServiceError) throw answer
        return answer
      } finally {
        if (hasAnswered) putBack(slot)
        else end(slot)
        endTurn()
      }
    },
    async close() {
      closing.abort()
      for (const slot of idle.splice(0)) end(slot)
      // What ran has been refused by now and ends its worker in its own turn.
      while (turns > 0) await new Promise((resolve) => setImmediate(resolve))
      await Promise.all(ending)
    },
  }
}
