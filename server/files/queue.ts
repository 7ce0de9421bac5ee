import { setTimeout as sleep } from 'node:timers/promises'
import type { FileProgress } from '#contract/files.ts'
import { ServiceError } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { FileChanges, FileRow, FileStore, JobStore } from './store.ts'

/**
 * The work that waits, in the order of the uploads. What has to be done stands in the database;
 * here is what is being done.
 */
export interface Queue {
  /** From now on jobs are taken up. */
  start(): void
  /** Says that there is a new job. */
  wake(): void
  /** Settles when the file has no job any more, or is gone. */
  whenDone(fileId: string): Promise<void>
  /**
   * Stops the work on a file; settles when nothing of it goes on. The job stays in the database.
   */
  cancel(fileId: string): Promise<void>
  /** Stops the work for a person who is gone. */
  cancelOf(userId: string): void
  /** Stops the work on files that are gone. */
  cancelGone(): void
  close(): Promise<void>
}

export interface QueueDependencies {
  readonly files: Pick<FileStore, 'get' | 'update'>
  readonly jobs: JobStore
  readonly log: Logger
  readonly work: (
    row: FileRow,
    run: { signal: AbortSignal; onProgress: (progress: FileProgress) => void },
  ) => Promise<FileChanges>
  /** The file has come further; `isLast` when its job ended. */
  readonly onChange: (fileId: string, progress: FileProgress | null) => void
  /** The file went while it was being worked on. */
  readonly onGone: (fileId: string) => void
}

/** Two at a time: one is extracted while another one is embedded. */
const WORKERS = 2
/** A file the gateway did not survive this often is not tried again. */
export const MOST_ATTEMPTS = 3
export const GAVE_UP =
  'The gateway ended several times while it was reading this file. Try again, or convert the file to another format.'
const PAUSE_MILLISECONDS = 15_000
/** Workers are ended with their process when they do not stop by then. */
const CLOSE_MILLISECONDS = 1500
const UNEXPECTED = 'This file could not be read. The log of the gateway has the details.'

interface Run {
  readonly userId: string
  readonly controller: AbortController
  ended: Promise<void>
}

const sentenceOf = (error: unknown): string =>
  error instanceof ServiceError && error.status < 500 ? error.message : UNEXPECTED

/** Those who wait for the end of a job. */
function createWaiters() {
  const waiters = new Map<string, (() => void)[]>()
  const settle = (fileId: string): void => {
    const waiting = waiters.get(fileId) ?? []
    waiters.delete(fileId)
    for (const resolve of waiting) resolve()
  }
  return {
    settle,
    ids: (): string[] => [...waiters.keys()],
    settleAll: (): void => [...waiters.keys()].forEach(settle),
    wait: (fileId: string): Promise<void> =>
      new Promise((resolve) => waiters.set(fileId, [...(waiters.get(fileId) ?? []), resolve])),
  }
}

/** Does one job and writes down how it ended. */
async function perform(
  { files, log, work, onChange, onGone }: QueueDependencies,
  row: FileRow,
  signal: AbortSignal,
): Promise<void> {
  const finish = (changes: FileChanges): void => {
    const isThere = files.update(row.id, {
      job: null,
      attempts: 0,
      updated_at: nowSeconds(),
      ...changes,
    })
    if (isThere) onChange(row.id, null)
  }
  files.update(row.id, { attempts: row.attempts + 1 })
  try {
    const changes = await work(row, {
      signal,
      onProgress: (progress) => onChange(row.id, progress),
    })
    signal.throwIfAborted()
    finish({ ...changes, status: 'completed', error: null })
  } catch (error) {
    if (!files.get(row.id)) return onGone(row.id)
    // Stopped by us: whoever stopped it says what happens next. Nothing was wrong with the file.
    if (signal.aborted) return void files.update(row.id, { attempts: row.attempts })
    if (!(error instanceof ServiceError) || error.status >= 500)
      log.error({ error, file: row.id }, 'a file could not be processed')
    finish({ status: 'failed', error: sentenceOf(error) })
  }
}

export function createQueue(dependencies: QueueDependencies): Queue {
  const { files, jobs, log } = dependencies
  const running = new Map<string, Run>()
  const waiters = createWaiters()
  const hasJob = (fileId: string): boolean => (files.get(fileId)?.job ?? null) !== null
  let isOpen = false
  let pause: NodeJS.Timeout | undefined

  function begin(row: FileRow): void {
    const controller = new AbortController()
    const run: Run = { userId: row.user_id, controller, ended: Promise.resolve() }
    running.set(row.id, run)
    run.ended = perform(dependencies, row, controller.signal)
      .catch((error: unknown) => {
        // The disk is full, most likely: without a pause the same job would fail again at once.
        log.error({ error, file: row.id }, 'the state of a file could not be saved')
        pause ??= setTimeout(resume, PAUSE_MILLISECONDS).unref()
      })
      .then(() => {
        running.delete(row.id)
        if (!hasJob(row.id)) waiters.settle(row.id)
        fill()
      })
  }

  function resume(): void {
    pause = undefined
    fill()
  }

  function fill(): void {
    while (isOpen && pause === undefined && running.size < WORKERS) {
      const id = jobs.next({
        ids: running.keys(),
        users: [...running.values()].map(({ userId }) => userId),
      })
      const row = id === null ? null : files.get(id)
      if (!row) return
      begin(row)
    }
  }

  return {
    start() {
      isOpen = true
      fill()
    },
    wake: fill,
    whenDone: async (fileId) => {
      if (hasJob(fileId)) await waiters.wait(fileId)
    },
    async cancel(fileId) {
      const run = running.get(fileId)
      run?.controller.abort()
      if (!hasJob(fileId)) waiters.settle(fileId)
      await run?.ended
    },
    cancelOf(userId) {
      for (const run of running.values()) if (run.userId === userId) run.controller.abort()
    },
    cancelGone() {
      for (const [id, run] of running) if (!files.get(id)) run.controller.abort()
      for (const id of waiters.ids()) if (!files.get(id)) waiters.settle(id)
    },
    async close() {
      isOpen = false
      for (const run of running.values()) run.controller.abort()
      clearTimeout(pause)
      const ended = Promise.all([...running.values()].map((run) => run.ended))
      await Promise.race([ended, sleep(CLOSE_MILLISECONDS, undefined, { ref: false })])
      waiters.settleAll()
    },
  }
}
