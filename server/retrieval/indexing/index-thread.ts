import { nextTurn } from '../../lib/turns.ts'
import { BACKGROUND, leaveTurn } from '../../storage/write-turns.ts'
import { createRestingThread } from '../resting-thread.ts'
import type {
  FinishedIndexing,
  IndexingCommand,
  IndexingPlan,
  IndexingReport,
  IndexingSource,
  IndexingThread,
} from './messages.ts'

/** What a job needs from the main thread. */
export interface JobHandlers {
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>
  readonly onProgress: (done: number, total: number) => void
}

/** A version that is complete. `settle` is called when it has taken its place, or is not wanted. */
export interface CompleteVersion extends FinishedIndexing {
  settle(): void
}

/**
 * Cuts and writes documents in another thread, which is started when there is something to do and
 * ends after a rest.
 */
export interface IndexThread {
  /**
   * Fails when the signal stops it, with the engine's error, or with what went wrong in the thread.
   */
  run(
    source: IndexingSource,
    plan: IndexingPlan,
    handlers: JobHandlers,
    signal: AbortSignal,
  ): Promise<CompleteVersion>
  /** Removes the rows of versions nobody needs, by and by. */
  purge(): void
  rebuildWords(): Promise<void>
  close(): Promise<void>
}

interface Job extends JobHandlers {
  readonly resolve: (result: FinishedIndexing) => void
  readonly reject: (reason: unknown) => void
}

const REST_MILLISECONDS = 60_000
/** In characters. */
const LONGEST_PIECE = 2_000_000
/** Room for the text of a large file beside the chunks made of it. */
const MEMORY_MEBIBYTES = 2048

/** Vectors one after the other: one piece of memory changes hands faster than many are copied. */
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

/** A text of a hundred megabytes takes a tenth of a second to copy, so it goes a piece a turn. */
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

/** `onVectorsChecked` is told why there are no vectors, or null. */
export function createIndexThread(
  options: IndexingThread,
  onVectorsChecked: (problem: string | null) => void = () => {},
): IndexThread {
  const jobs = new Map<number, Job>()
  let lastJob = 0
  let purges = 0

  const thread = createRestingThread<IndexingCommand, IndexingReport>({
    name: 'index-worker',
    folder: 'indexing',
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEBIBYTES },
    restMilliseconds: REST_MILLISECONDS,
    onReport: (report) =>
      report.type === 'vectors-checked' ? onVectorsChecked(report.problem) : void take(report),
    onLost(reason) {
      for (const job of jobs.values()) job.reject(reason)
      jobs.clear()
      purges = 0
      leaveTurn(options.writeTurns, BACKGROUND.index)
    },
  })

  async function answer(
    id: number,
    job: Job,
    { batch, texts }: IndexingReport & { type: 'embed' },
  ): Promise<void> {
    try {
      const vectors = await embedPacked(job, texts)
      if (jobs.get(id) === job)
        thread.post({ type: 'vectors', job: id, batch, count: texts.length, vectors }, [
          vectors.buffer,
        ])
    } catch (error) {
      job.reject(error)
    }
  }

  async function take(report: Exclude<IndexingReport, { type: 'vectors-checked' }>): Promise<void> {
    if (report.type === 'purged') {
      purges = Math.max(0, purges - 1)
      if (purges === 0 && jobs.size === 0) thread.rest()
      return
    }
    const job = jobs.get(report.job)
    if (!job) return
    if (report.type === 'embed') await answer(report.job, job, report)
    else if (report.type === 'progress') job.onProgress(report.done, report.total)
    else if (report.type === 'finished') job.resolve(report.result)
    else job.reject(new Error(report.reason))
  }

  function begin(handlers: JobHandlers): {
    id: number
    result: Promise<FinishedIndexing>
    job: Job
  } {
    const { promise, resolve, reject } = Promise.withResolvers<FinishedIndexing>()
    const id = ++lastJob
    const job = { ...handlers, resolve, reject }
    jobs.set(id, job)
    return { id, result: promise, job }
  }

  function settle(id: number): void {
    if (!jobs.delete(id)) return
    purges += 1
    thread.post({ type: 'end', job: id })
  }

  return {
    async run(source, plan, handlers, signal) {
      signal.throwIfAborted()
      const { id, result, job } = begin(handlers)
      const stop = (): void => job.reject(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      try {
        await send(
          (command) => thread.post(command),
          { type: 'start', job: id, source, plan },
          signal,
        )
        return { ...(await result), settle: () => settle(id) }
      } catch (error) {
        settle(id)
        throw error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    purge() {
      purges += 1
      thread.post({ type: 'purge' })
    },
    async rebuildWords() {
      const { id, result } = begin({
        embed: () => Promise.reject(new Error('Nothing is embedded here.')),
        onProgress: () => {},
      })
      thread.post({ type: 'rebuild-words', job: id })
      await result.finally(() => settle(id))
    },
    close: () => thread.close(),
  }
}
