import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type Sqlite from 'better-sqlite3'
import type { Logger } from '../../lib/logger.ts'
import { nextTurn, SLICE_MILLISECONDS } from '../../lib/turns.ts'
import type { PreparedQuery } from '../sqlite/prepared-query.ts'
import { BACKGROUND, leaveTurn, type WriteTurns } from '../sqlite/write-turns.ts'
import type { AfterCommit } from '../unit-of-work.ts'
import type { DeletionKind } from '../tables/deletions.ts'
import { workerFile } from '../../config/worker-file.ts'
import { Eraser, type PendingDeletion } from './eraser.ts'
import type { Deletions, DeletionState } from './deletions.ts'
import type { DeletionReport, DeletionThread } from './messages.ts'
import { PARTS_TO_MERGE } from './word-indexes.ts'
import { runDeletions, type DeletionProgress } from './run-deletions.ts'

/** Dependencies of deletions. */
export interface DeletionsDependencies {
  readonly sqlite: Sqlite.Database
  readonly writeTurns: WriteTurns
  readonly prepare: <Values extends unknown[] = unknown[], Row = unknown>(
    sql: string,
  ) => PreparedQuery<Values, Row>
  readonly transaction: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly afterCommit: (work: AfterCommit) => void
  readonly log?: Logger | undefined
}

const CLOSE_MILLISECONDS = 1500
const RETRY_MILLISECONDS = 60_000

/**
 * Runs the thread, or, for a database in memory, which no other connection can see, the same work
 * in turns of this thread.
 */
class DeletionRunner {
  readonly #options: DeletionsDependencies
  readonly #progress: Map<number, DeletionProgress>
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
  constructor(
    options: DeletionsDependencies,
    progress: Map<number, DeletionProgress>,
    { tell, onEnd }: { tell: (deletion: PendingDeletion) => Promise<void>; onEnd: () => void },
  ) {
    this.#options = options
    this.#progress = progress
    this.#tell = tell
    this.#onEnd = onEnd
  }

  get #isStopped(): boolean {
    return Atomics.load(this.#stop, 0) === 1 || !this.#options.sqlite.open
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
        await (this.#options.sqlite.memory ? this.#runHere() : this.#runThread())
        await this.#telling
      } catch (error) {
        if (this.#isStopped) return
        this.#options.log?.error({ error }, 'rows of deleted objects could not be removed yet')
        this.#retry = setTimeout(() => this.wake(), RETRY_MILLISECONDS).unref()
      }
    }
  }

  #takeInOrder(report: DeletionReport): void {
    this.#telling = this.#telling
      .then(() => this.#take(report))
      .catch((error: unknown) =>
        this.#options.log?.error({ error }, 'the work after the removal of rows failed'),
      )
  }

  async #take(report: DeletionReport): Promise<void> {
    if (report.type === 'progress') {
      this.#progress.set(report.progress.id, report.progress)
      const { sqlite } = this.#options
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
      sqlite: this.#options.sqlite,
      isHeld: (id) => this.held.has(id),
      pause: nextTurn,
      write: (work) => this.#options.transaction(async () => work()),
      isStopped: () => this.#isStopped,
      onProgress: (progress) => this.#takeInOrder({ type: 'progress', progress }),
      onErased: (deletion) => this.#takeInOrder({ type: 'erased', deletion }),
    })
  }

  async #runThread(): Promise<void> {
    const { sqlite, writeTurns } = this.#options
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

type ListedDeletion = Omit<DeletionState, 'left' | 'total'>

/**
 * Keeps deletions in the list, in their previous form, while only their words in the indexes are
 * left.
 */
function followTidying(
  readAll: PreparedQuery<[], ListedDeletion>,
  progress: ReadonlyMap<number, DeletionProgress>,
) {
  const known = new Map<number, ListedDeletion>()
  const tidied = new Map<number, DeletionState>()
  return {
    async look(): Promise<void> {
      for (const state of await readAll.all()) known.set(state.id, state)
    },
    async noteErased({ id }: PendingDeletion): Promise<void> {
      const [state, total] = [known.get(id), progress.get(id)?.total ?? null]
      if (state && (await readAll.all()).every((listed) => listed.id !== id))
        tidied.set(id, { ...state, total, left: 0 })
    },
    clear(): void {
      tidied.clear()
      known.clear()
    },
    list: () => tidied.values(),
  }
}

/** Deletions in a SQLite database; another thread removes the rows. */
export class FileDeletions implements Deletions {
  readonly #options: DeletionsDependencies
  readonly #eraser
  readonly #insert
  readonly #read
  readonly #readAll
  readonly #progress = new Map<number, DeletionProgress>()
  readonly #listeners: ((deletion: PendingDeletion) => Promise<void>)[] = []
  readonly #tidying
  readonly #runner
  readonly #hiding = new Map<number, Promise<void>>()
  #erasedHere = 0

  /** Creates the deletions on the table of `0021-deletions`. */
  constructor(options: DeletionsDependencies) {
    this.#options = options
    const { sqlite, prepare } = options
    this.#eraser = new Eraser(sqlite)
    this.#insert = prepare<[string, string, string]>(
      'insert into deletion (kind, subject, title, created_at) values (?, ?, ?, unixepoch()) on conflict do nothing',
    )
    this.#read = prepare<[string, string], PendingDeletion>(
      'select id, kind, subject from deletion where kind = ? and subject = ?',
    )
    this.#readAll = prepare<[], ListedDeletion>(
      "select id, kind, subject, title, created_at, case kind when 'file' then (select user_id from file where file.id = subject) " +
        "when 'files' then null else subject end as owner from deletion order by id",
    )
    this.#tidying = followTidying(this.#readAll, this.#progress)
    this.#runner = new DeletionRunner(options, this.#progress, {
      tell: async (deletion) => {
        await this.#tidying.noteErased(deletion)
        await this.#tell(deletion)
      },
      onEnd: () => this.#tidying.clear(),
    })
  }

  /**
   * Records a deletion, within the transaction that hides it from its owner, and removes as much as
   * fits into one slice. Resolves with its id.
   */
  begin(kind: DeletionKind, subject: string, title = ''): Promise<number> {
    return this.#options.transaction(async () => {
      await this.#insert.run(kind, subject, title)
      const deletion = (await this.#read.get(kind, subject))!
      if (!this.#eraser.hide(deletion, SLICE_MILLISECONDS).isDone)
        this.#options.afterCommit(() => this.#hideLater(deletion))
      // Most deletions are small enough to be completed here.
      else {
        const { isDone } = this.#eraser.erase(deletion, SLICE_MILLISECONDS)
        if (isDone) this.#options.afterCommit(() => this.#tell(deletion))
        this.#erasedHere += 1
        // Each leaves parts in the word indexes, which the thread merges.
        if (!isDone || this.#erasedHere % PARTS_TO_MERGE === 0)
          this.#options.afterCommit(() => this.tidy())
      }
      return deletion.id
    })
  }

  /** Settles when other users can no longer see anything of a deletion. */
  hidden(id: number): Promise<void> {
    return this.#hiding.get(id) ?? Promise.resolve()
  }

  async list(): Promise<DeletionState[]> {
    return [
      ...this.#tidying.list(),
      ...(await this.#readAll.all()).map((row) => ({
        ...row,
        left: this.#progress.get(row.id)?.left ?? null,
        total: this.#progress.get(row.id)?.total ?? null,
      })),
    ]
  }

  /**
   * Adds a listener that is called repeatedly while rows of a deletion are removed, and once more
   * when none is left.
   */
  onErased(listener: (deletion: PendingDeletion) => Promise<void>): void {
    this.#listeners.push(listener)
  }

  /** Continues the deletions left by the last run. */
  resume(): void {
    const pending = this.#eraser.pending()
    for (const deletion of pending) this.#hideLater(deletion)
    if (pending.length === 0) this.#eraser.wakeIndexes()
  }

  /** Tidies the word indexes that rows were deleted from, after the pending removals. */
  async tidy(): Promise<void> {
    if (!this.#options.sqlite.open) return
    await this.#tidying.look()
    this.#runner.wake()
  }

  /** Settles when nothing is left to do. */
  async settled(): Promise<void> {
    await Promise.all(this.#hiding.values())
    await nextTurn()
    await this.#runner.settled()
  }

  /** Ends the thread after its transaction; the rest continues at the next start. */
  close(): Promise<void> {
    return this.#runner.close()
  }

  async #tell(deletion: PendingDeletion): Promise<void> {
    for (const listener of this.#listeners) await listener(deletion)
  }

  /**
   * Continues until other users no longer see anything; skips a deletion that was rolled back with
   * its transaction.
   */
  async #hideRest(deletion: PendingDeletion): Promise<void> {
    for (let isDone = false; !isDone;) {
      await nextTurn()
      if (!this.#options.sqlite.open) return
      isDone = await this.#options.transaction(async () => {
        if ((await this.#read.get(deletion.kind, deletion.subject))?.id !== deletion.id) return true
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
        this.#options.log?.error(
          { error },
          'deleted objects could not be hidden yet; the next start continues',
        ),
      )
      .finally(() => this.#hiding.delete(deletion.id))
    this.#hiding.set(deletion.id, rest)
  }
}
