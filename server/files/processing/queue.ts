import { setTimeout as sleep } from 'node:timers/promises'
import type { FileProgress } from '#contract/files.ts'
import { ServiceError } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import type { OtherReaders } from './other-readers.ts'
import type { FileChanges, FileRow, FileStore, JobStore } from '../store.ts'

export interface QueueDependencies {
  readonly files: FileStore
  readonly jobs: JobStore
  readonly log: Logger
  /** The other gateways that take jobs of the same queue; null or absent if there are none. */
  readonly others?: OtherReaders | null
  readonly work: (
    row: FileRow,
    run: { signal: AbortSignal; onProgress: (progress: FileProgress) => void },
  ) => Promise<FileChanges>
  /** Called on progress of a file; a null `progress` means that its job has ended. */
  readonly onChange: (fileId: string, progress: FileProgress | null) => Promise<void>
  /** Called when a file was deleted during processing. */
  readonly onGone: (fileId: string) => Promise<void>
}

/** Two at a time: one is extracted while another one is embedded. */
const WORKERS = 2
/** Maximum number of attempts for a file during which the gateway ended. */
export const MOST_ATTEMPTS = 3
export const GAVE_UP =
  'The gateway ended several times while it was reading this file. Try again, or convert the file to another format.'
const PAUSE_MILLISECONDS = 15_000
/** Time limit for stopping; workers that exceed it are ended with the process. */
const CLOSE_MILLISECONDS = 1500
const LOOK_MILLISECONDS = 1000
const UNEXPECTED = 'This file could not be read. The log of the gateway has the details.'

interface Run {
  readonly userId: string
  readonly controller: AbortController
  ended: Promise<void>
}

/** True if the blob store is temporarily unavailable, which is not an error of the file. */
const isStoreAway = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'store_unavailable'

const sentenceOf = (error: unknown): string =>
  error instanceof ServiceError && error.status < 500 ? error.message : UNEXPECTED

/** Callers waiting for the end of a job. */
class Waiters {
  readonly #waiters = new Map<string, (() => void)[]>()

  settle(fileId: string): void {
    const waiting = this.#waiters.get(fileId) ?? []
    this.#waiters.delete(fileId)
    for (const resolve of waiting) resolve()
  }

  ids(): string[] {
    return [...this.#waiters.keys()]
  }

  settleAll(): void {
    for (const id of this.ids()) this.settle(id)
  }

  wait(fileId: string): Promise<void> {
    return new Promise((resolve) =>
      this.#waiters.set(fileId, [...(this.#waiters.get(fileId) ?? []), resolve]),
    )
  }
}

/** Runs one job and stores its result. */
async function perform(
  { files, log, others, work, onChange, onGone }: QueueDependencies,
  row: FileRow,
  signal: AbortSignal,
): Promise<void> {
  const reader = others?.self
  const free = reader === undefined ? {} : { reader: null }
  // Progress reported after the end would leave windows with a file in progress for ever.
  let told = Promise.resolve()
  const finish = async (changes: FileChanges): Promise<void> => {
    const ended = { job: null, attempts: 0, updated_at: nowSeconds(), ...free, ...changes }
    // A job that another gateway has taken over meanwhile is no longer updated here.
    const isThere = await files.update(row.id, ended, reader)
    if (isThere) await onChange(row.id, null)
    others?.tellEnded(row.id)
  }
  const giveBack = (): Promise<boolean> =>
    files.update(row.id, { attempts: row.attempts, ...free }, reader)
  await files.update(row.id, { attempts: row.attempts + 1 })
  try {
    const changes = await work(row, {
      signal,
      onProgress: (progress) => {
        told = told
          .then(() => onChange(row.id, progress))
          .catch((error: unknown) =>
            log.error({ error, file: row.id }, 'progress could not be reported'),
          )
      },
    })
    signal.throwIfAborted()
    await told
    await finish({ ...changes, status: 'completed', error: null })
  } catch (error) {
    await told
    if (!(await files.get(row.id))) return onGone(row.id)
    // Stopped on request: the code that stopped it decides what happens next. The file is not at
    // fault.
    if (signal.aborted) return void (await giveBack())
    if (isStoreAway(error)) {
      await giveBack()
      throw error
    }
    if (!(error instanceof ServiceError) || error.status >= 500)
      log.error({ error, file: row.id }, 'a file could not be processed')
    await finish({ status: 'failed', error: sentenceOf(error) })
  }
}

/**
 * Queue of waiting work, in the order of the uploads. Pending jobs are in the database; only
 * running ones are held here.
 */
export class Queue {
  readonly #dependencies: QueueDependencies
  readonly #running = new Map<string, Run>()
  readonly #waiters = new Waiters()
  #isOpen = false
  #isWaking = false
  #isWanted = false
  #pause: NodeJS.Timeout | undefined

  constructor(dependencies: QueueDependencies) {
    this.#dependencies = dependencies
    dependencies.others?.follow({
      wake: () => this.#takeUpOnly(),
      ended: (fileId) => this.#waiters.settle(fileId),
      cancel: (fileId) => this.#running.get(fileId)?.controller.abort(),
    })
  }

  /** Starts taking jobs. */
  async start(): Promise<void> {
    this.#isOpen = true
    await this.wake()
  }

  /** Number of files being read. */
  get running(): number {
    return this.#running.size
  }

  /** Reports that there is a new job. */
  async wake(): Promise<void> {
    await this.#takeUpOnly()
    if (this.#running.size >= WORKERS) this.#dependencies.others?.tellWaiting()
  }

  async #takeUpOnly(): Promise<void> {
    // Serialised, otherwise two calls would start the same job, or more jobs than there are
    // workers.
    this.#isWanted = true
    if (this.#isWaking) return
    this.#isWaking = true
    try {
      while (this.#isWanted) {
        this.#isWanted = false
        await this.#takeUp()
      }
    } finally {
      this.#isWaking = false
    }
  }

  async #takeUp(): Promise<void> {
    while (this.#isOpen && this.#pause === undefined && this.#running.size < WORKERS) {
      const id = await this.#dependencies.jobs.next({
        ids: this.#running.keys(),
        users: [...this.#running.values()].map(({ userId }) => userId),
        reader: this.#dependencies.others?.self,
      })
      const row = id === null ? null : await this.#dependencies.files.get(id)
      if (!row || !this.#isOpen) return
      this.#begin(row)
    }
  }

  /** Resolves when the file no longer has a job, or is deleted. */
  async whenDone(fileId: string): Promise<void> {
    // Registered before the check, because the job may end during it.
    const ended = this.#waiters.wait(fileId)
    if (!(await this.#hasJob(fileId))) this.#waiters.settle(fileId)
    if (!this.#dependencies.others) return ended
    // The message of another gateway that ends the job may be lost.
    const looking = setInterval(() => void this.#look(fileId), LOOK_MILLISECONDS).unref()
    await ended.finally(() => clearInterval(looking))
  }

  /**
   * Stops the processing of a file; resolves when it has ended completely. The job stays in the
   * database.
   */
  async cancel(fileId: string): Promise<void> {
    const run = this.#running.get(fileId)
    run?.controller.abort()
    if (!run) this.#dependencies.others?.tellCancelled(fileId)
    if (!(await this.#hasJob(fileId))) this.#waiters.settle(fileId)
    await run?.ended
  }

  /** Stops the processing of a deleted file without waiting for its end. */
  abandon(fileId: string): void {
    this.#running.get(fileId)?.controller.abort()
    this.#waiters.settle(fileId)
  }

  /** Stops the processing for a deleted user. */
  cancelOf(userId: string): void {
    for (const run of this.#running.values()) if (run.userId === userId) run.controller.abort()
  }

  /** Stops the processing of deleted files. */
  async cancelGone(): Promise<void> {
    for (const [id, run] of this.#running)
      if (!(await this.#dependencies.files.get(id))) run.controller.abort()
    for (const id of this.#waiters.ids())
      if (!(await this.#dependencies.files.get(id))) this.#waiters.settle(id)
  }

  async close(): Promise<void> {
    this.#isOpen = false
    for (const run of this.#running.values()) run.controller.abort()
    clearTimeout(this.#pause)
    const ended = Promise.all([...this.#running.values()].map((run) => run.ended))
    await Promise.race([ended, sleep(CLOSE_MILLISECONDS, undefined, { ref: false })])
    this.#waiters.settleAll()
  }

  async #look(fileId: string): Promise<void> {
    if (!(await this.#hasJob(fileId).catch(() => true))) this.#waiters.settle(fileId)
  }

  async #hasJob(fileId: string): Promise<boolean> {
    return ((await this.#dependencies.files.get(fileId))?.job ?? null) !== null
  }

  #begin(row: FileRow): void {
    const controller = new AbortController()
    const run: Run = { userId: row.user_id, controller, ended: Promise.resolve() }
    this.#running.set(row.id, run)
    run.ended = perform(this.#dependencies, row, controller.signal)
      .catch((error: unknown) => {
        // Most likely the disk is full or the blob store is unavailable: without a pause the same
        // job would fail again at once.
        const told = { error, file: row.id }
        if (isStoreAway(error))
          this.#dependencies.log.warn(told, 'a file waits until its bytes are available')
        else this.#dependencies.log.error(told, 'the state of a file could not be saved')
        this.#pause ??= setTimeout(() => {
          this.#pause = undefined
          void this.wake()
        }, PAUSE_MILLISECONDS).unref()
      })
      .then(async () => {
        this.#running.delete(row.id)
        if (!(await this.#hasJob(row.id))) this.#waiters.settle(row.id)
        await this.wake()
      })
  }
}
