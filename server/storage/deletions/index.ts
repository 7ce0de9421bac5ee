import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from '../../lib/logger.ts'
import { nextTurn, SLICE_MILLISECONDS } from '../../lib/turns.ts'
import { BACKGROUND, leaveTurn } from '../sqlite/write-turns.ts'
import type { Storage } from '../storage.ts'
import type { DeletionKind } from '../tables/deletions.ts'
import { workerFile } from '../../config/worker-file.ts'
import { DeletionRecords } from './deletion-records.ts'
import { Eraser, type PendingDeletion } from './eraser.ts'
import type { Deletions, DeletionState } from './deletions.ts'
import type { DeletionReport, DeletionThread } from './messages.ts'
import { PARTS_TO_MERGE } from './word-indexes.ts'
import { runDeletions } from './run-deletions.ts'

/** Database features that deletions need. */
type DeletionStorage = Storage

const CLOSE_MILLISECONDS = 1500
const RETRY_MILLISECONDS = 60_000

/**
 * Runs the thread, or, for a database in memory, which no other connection can see, the same work
 * in turns of this thread.
 */
class DeletionRunner {
  readonly #storage: DeletionStorage
  readonly #log: Logger | undefined
  readonly #progress: DeletionRecords['progress']
  readonly #tell: (deletion: PendingDeletion) => Promise<void>
  readonly #onEnd: () => void
  readonly #stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  /** Deletions of which other users can still see something. */
  readonly held = new Set<number>()
  #running: Promise<void> | null = null
  /** Notifications of listeners, one report after the other. */
  #telling: Promise<void> = Promise.resolve()
  #isWanted = false
  #retry: NodeJS.Timeout | undefined

  /** `onEnd` is called when rows and words of all deletions are removed. */
  constructor({
    storage,
    log,
    progress,
    tell,
    onEnd,
  }: {
    storage: DeletionStorage
    log: Logger | undefined
    progress: DeletionRecords['progress']
    tell: (deletion: PendingDeletion) => Promise<void>
    onEnd: () => void
  }) {
    this.#storage = storage
    this.#log = log
    this.#progress = progress
    this.#tell = tell
    this.#onEnd = onEnd
  }

  get #isStopped(): boolean {
    return Atomics.load(this.#stop, 0) === 1 || !this.#storage.sqlite.open
  }

  wake(): void {
    clearTimeout(this.#retry)
    this.#isWanted = true
    this.#running ??= this.#runAll().finally(() => {
      this.#running = null
      if (this.#isWanted && !this.#isStopped) this.wake()
      else this.#onEnd()
    })
  }

  async settled(): Promise<void> {
    while (this.#running) await this.#running
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry)
    Atomics.store(this.#stop, 0, 1)
    await Promise.race([this.settled(), sleep(CLOSE_MILLISECONDS, undefined, { ref: false })])
  }

  async #runAll(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false
      try {
        await (this.#storage.sqlite.memory ? this.#runHere() : this.#runThread())
        await this.#telling
      } catch (error) {
        if (this.#isStopped) return
        this.#log?.error({ error }, 'rows of deleted objects could not be removed yet')
        this.#retry = setTimeout(() => this.wake(), RETRY_MILLISECONDS).unref()
      }
    }
  }

  #takeInOrder(report: DeletionReport): void {
    this.#telling = this.#telling
      .then(() => this.#take(report))
      .catch((error: unknown) =>
        this.#log?.error({ error }, 'the work after the removal of rows failed'),
      )
  }

  async #take(report: DeletionReport): Promise<void> {
    if (report.type === 'progress') {
      this.#progress.set(report.progress.id, report.progress)
      const { sqlite } = this.#storage
      const deletion =
        sqlite.open && new Eraser(sqlite).pending().find(({ id }) => id === report.progress.id)
      if (deletion) await this.#tell(deletion)
      return
    }
    await this.#tell(report.deletion)
    this.#progress.delete(report.deletion.id)
  }

  async #runHere(): Promise<void> {
    await nextTurn()
    if (this.#isStopped) return
    await runDeletions({
      sqlite: this.#storage.sqlite,
      isHeld: (id) => this.held.has(id),
      pause: nextTurn,
      write: (work) => this.#storage.transaction(async () => work()),
      isStopped: () => this.#isStopped,
      onProgress: (progress) => this.#takeInOrder({ type: 'progress', progress }),
      onErased: (deletion) => this.#takeInOrder({ type: 'erased', deletion }),
    })
  }

  async #runThread(): Promise<void> {
    const { sqlite, writeTurns } = this.#storage
    const workerData: DeletionThread = {
      database: sqlite.name,
      writeTurns,
      stop: this.#stop,
      held: [...this.held],
    }
    try {
      await new Promise<void>((resolve, reject) => {
        const worker = new Worker(workerFile(import.meta.dirname, 'deletion-worker'), {
          workerData,
          execArgv: [],
        })
        worker.unref()
        worker.on('message', (report: DeletionReport) => this.#takeInOrder(report))
        worker.once('error', reject)
        worker.once('exit', () => resolve())
      })
    } finally {
      leaveTurn(writeTurns, BACKGROUND.deletions)
    }
  }
}

/** Deletions of which only the words in the indexes are left; the list still shows them. */
class TidiedDeletions {
  readonly #records: DeletionRecords
  readonly #known = new Map<number, DeletionState>()
  readonly #tidied = new Map<number, DeletionState>()

  constructor(records: DeletionRecords) {
    this.#records = records
  }

  async look(): Promise<void> {
    for (const state of await this.#records.list()) this.#known.set(state.id, state)
  }

  async noteErased(deletion: PendingDeletion): Promise<void> {
    const { id } = deletion
    const state = this.#known.get(id)
    if (!state || (await this.#records.has(deletion))) return
    const total = this.#records.progress.get(id)?.total ?? null
    this.#tidied.set(id, { ...state, total, left: 0 })
  }

  clear(): void {
    this.#tidied.clear()
    this.#known.clear()
  }

  list(): Iterable<DeletionState> {
    return this.#tidied.values()
  }
}

/** Deletions in a SQLite database; another thread removes the rows. */
export class FileDeletions implements Deletions {
  readonly #storage: DeletionStorage
  readonly #log: Logger | undefined
  readonly #eraser
  readonly #records
  readonly #tidied
  readonly #runner
  readonly #hiding = new Map<number, Promise<void>>()
  #erasedHere = 0

  /** Creates the deletions on the table of `0021-deletions`. */
  constructor(storage: DeletionStorage, log?: Logger) {
    this.#storage = storage
    this.#log = log
    this.#eraser = new Eraser(storage.sqlite)
    this.#records = new DeletionRecords(storage)
    this.#tidied = new TidiedDeletions(this.#records)
    this.#runner = new DeletionRunner({
      storage,
      log,
      progress: this.#records.progress,
      tell: async (deletion) => {
        await this.#tidied.noteErased(deletion)
        await this.#records.notify(deletion)
      },
      onEnd: () => this.#tidied.clear(),
    })
  }

  begin(kind: DeletionKind, subject: string, title = ''): Promise<number> {
    return this.#storage.transaction(async () => {
      const deletion = await this.#records.add(kind, subject, title)
      if (!this.#eraser.hide(deletion, SLICE_MILLISECONDS).isDone)
        this.#storage.afterCommit(() => this.#hideLater(deletion))
      // Most deletions are small enough to be completed here.
      else {
        const { isDone } = this.#eraser.erase(deletion, SLICE_MILLISECONDS)
        if (isDone) this.#storage.afterCommit(() => this.#records.notify(deletion))
        this.#erasedHere += 1
        // Each leaves parts in the word indexes, which the thread merges.
        if (!isDone || this.#erasedHere % PARTS_TO_MERGE === 0)
          this.#storage.afterCommit(() => this.tidy())
      }
      return deletion.id
    })
  }

  hidden(id: number): Promise<void> {
    return this.#hiding.get(id) ?? Promise.resolve()
  }

  async list(): Promise<DeletionState[]> {
    return [...this.#tidied.list(), ...(await this.#records.list())]
  }

  onErased(listener: (deletion: PendingDeletion) => Promise<void>): void {
    this.#records.addListener(listener)
  }

  resume(): void {
    const pending = this.#eraser.pending()
    for (const deletion of pending) this.#hideLater(deletion)
    if (pending.length === 0) this.#eraser.wakeIndexes()
  }

  async tidy(): Promise<void> {
    if (!this.#storage.sqlite.open) return
    await this.#tidied.look()
    this.#runner.wake()
  }

  async settled(): Promise<void> {
    await Promise.all(this.#hiding.values())
    await nextTurn()
    await this.#runner.settled()
  }

  close(): Promise<void> {
    return this.#runner.close()
  }

  /**
   * Continues until other users no longer see anything; skips a deletion that was rolled back with
   * its transaction.
   */
  async #hideRest(deletion: PendingDeletion): Promise<void> {
    for (let isDone = false; !isDone;) {
      await nextTurn()
      if (!this.#storage.sqlite.open) return
      isDone = await this.#storage.transaction(async () => {
        if (!(await this.#records.has(deletion))) return true
        return this.#eraser.hide(deletion, SLICE_MILLISECONDS).isDone
      })
    }
    this.#runner.held.delete(deletion.id)
    await this.tidy()
  }

  #hideLater(deletion: PendingDeletion): void {
    if (this.#hiding.has(deletion.id)) return
    this.#runner.held.add(deletion.id)
    const rest = this.#hideRest(deletion)
      .catch((error: unknown) =>
        this.#log?.error(
          { error },
          'deleted objects could not be hidden yet; the next start continues',
        ),
      )
      .finally(() => this.#hiding.delete(deletion.id))
    this.#hiding.set(deletion.id, rest)
  }
}
