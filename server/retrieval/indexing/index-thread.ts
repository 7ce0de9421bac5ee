import { nextTurn } from '../../lib/turns.ts'
import { BACKGROUND, leaveTurn } from '../../storage/sqlite/write-turns.ts'
import { RestingThread } from '../../storage/resting-thread.ts'
import type { CompleteVersion, IndexWriter, JobHandlers } from '../document-index.ts'
import type {
  FinishedIndexing,
  IndexingCommand,
  IndexingPlan,
  IndexingReport,
  IndexingSource,
  IndexingThread,
} from './messages.ts'

interface Job extends JobHandlers {
  readonly resolve: (result: FinishedIndexing) => void
  readonly reject: (reason: unknown) => void
}

const REST_MILLISECONDS = 60_000
/** Maximum length in characters. */
const LONGEST_PIECE = 2_000_000
/** Memory for the text of a large file besides its chunks. */
const MEMORY_MEBIBYTES = 2048

/** Returns concatenated vectors: transferring one buffer is faster than copying many. */
async function embedPacked(job: Job, texts: readonly string[]): Promise<Float32Array<ArrayBuffer>> {
  const vectors = await job.embed(texts)
  if (vectors.length !== texts.length)
    throw new Error('The embedding engine answered with too few vectors.')
  const length = vectors[0]?.length ?? 0
  if (vectors.some((vector) => vector.length !== length))
    throw new Error('The engine answered with vectors of different lengths.')
  const packed = new Float32Array(length * vectors.length)
  for (const [place, vector] of vectors.entries()) packed.set(vector, place * length)
  return packed
}

type StartCommand = IndexingCommand & { readonly type: 'start' }

/**
 * Copying a text of a hundred megabytes takes a tenth of a second, so it is sent one piece per
 * turn.
 */
async function send(
  post: (command: IndexingCommand) => void,
  start: StartCommand,
  signal: AbortSignal,
): Promise<void> {
  const { job, source } = start
  if ('storedId' in source || source.content.text.length <= LONGEST_PIECE) {
    post(start)
    return
  }
  const { text } = source.content
  for (let from = 0; from < text.length; from += LONGEST_PIECE) {
    post({ type: 'text', job, piece: text.slice(from, from + LONGEST_PIECE) })
    await nextTurn()
    signal.throwIfAborted()
  }
  post({ ...start, source: { ...source, content: { ...source.content, text: '' } } })
}

/**
 * Splits and writes documents in another thread, which is started on demand and ends after an idle
 * time.
 */
export class IndexThread implements IndexWriter {
  readonly #jobs = new Map<number, Job>()
  #lastJob = 0
  #purges = 0
  readonly #thread

  /** `onVectorsChecked` is called with the reason why there are no vectors, or null. */
  constructor(
    options: IndexingThread,
    onVectorsChecked: (problem: string | null) => void = () => {},
  ) {
    this.#thread = new RestingThread<IndexingCommand, IndexingReport>({
      name: 'index-worker',
      folder: import.meta.dirname,
      workerData: options,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEBIBYTES },
      restMilliseconds: REST_MILLISECONDS,
      onReport: (report) =>
        report.type === 'vectors-checked' ? onVectorsChecked(report.problem) : this.#take(report),
      onLost: (reason) => {
        for (const job of this.#jobs.values()) job.reject(reason)
        this.#jobs.clear()
        this.#purges = 0
        leaveTurn(options.writeTurns, BACKGROUND.index)
      },
    })
  }

  async run(
    source: IndexingSource,
    plan: IndexingPlan,
    handlers: JobHandlers,
    signal: AbortSignal,
  ): Promise<CompleteVersion> {
    signal.throwIfAborted()
    const { id, result, job } = this.#begin(handlers)
    const stop = (): void => job.reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      await send(
        (command) => this.#thread.post(command),
        { type: 'start', job: id, source, plan },
        signal,
      )
      return { ...(await result), settle: () => this.#settle(id) }
    } catch (error) {
      this.#settle(id)
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  purge(): void {
    this.#purges += 1
    this.#thread.post({ type: 'purge' })
  }

  async rebuildWords(): Promise<void> {
    const { id, result } = this.#begin({
      embed: () => Promise.reject(new Error('Nothing is embedded here.')),
      onProgress: () => {},
    })
    this.#thread.post({ type: 'rebuild-words', job: id })
    await result.finally(() => this.#settle(id))
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #answer(
    id: number,
    job: Job,
    { batch, texts }: IndexingReport & { type: 'embed' },
  ): Promise<void> {
    try {
      const vectors = await embedPacked(job, texts)
      if (this.#jobs.get(id) === job)
        this.#thread.post({ type: 'vectors', job: id, batch, count: texts.length, vectors }, [
          vectors.buffer,
        ])
    } catch (error) {
      job.reject(error)
    }
  }

  #take(report: Exclude<IndexingReport, { type: 'vectors-checked' }>): void {
    if (report.type === 'purged') {
      this.#purges = Math.max(0, this.#purges - 1)
      if (this.#purges === 0 && this.#jobs.size === 0) this.#thread.rest()
      return
    }
    const job = this.#jobs.get(report.job)
    if (!job) return
    if (report.type === 'embed') void this.#answer(report.job, job, report)
    else if (report.type === 'progress') job.onProgress(report.done, report.total)
    else if (report.type === 'finished') job.resolve(report.result)
    else job.reject(new Error(report.reason))
  }

  #begin(handlers: JobHandlers): {
    id: number
    result: Promise<FinishedIndexing>
    job: Job
  } {
    const { promise, resolve, reject } = Promise.withResolvers<FinishedIndexing>()
    const id = ++this.#lastJob
    const job = { ...handlers, resolve, reject }
    this.#jobs.set(id, job)
    return { id, result: promise, job }
  }

  #settle(id: number): void {
    if (!this.#jobs.delete(id)) return
    this.#purges += 1
    this.#thread.post({ type: 'end', job: id })
  }
}
