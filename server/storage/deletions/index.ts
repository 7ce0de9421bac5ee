import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { default as Sqlite, Statement } from 'better-sqlite3'
import type { Logger } from '../../lib/logger.ts'
import { nextTurn, SLICE_MILLISECONDS } from '../../lib/turns.ts'
import { BACKGROUND, leaveTurn, type WriteTurns } from '../write-turns.ts'
import type { DeletionKind } from '../tables/deletions.ts'
import { workerFile } from '../ask-worker.ts'
import { createEraser, type PendingDeletion } from './eraser.ts'
import type { DeletionReport, DeletionThread } from './messages.ts'
import { PARTS_TO_MERGE } from './word-indexes.ts'
import { runDeletions, type DeletionProgress } from './run-deletions.ts'

/**
 * A deletion whose rows are still being removed, or, with none left, its words from the indexes.
 */
export interface DeletionState extends PendingDeletion {
  readonly title: string
  /** Whose things are removed; null when they are those of everybody. */
  readonly owner: string | null
  readonly created_at: number
  /** Rows still there, and rows there were; null until they are counted. */
  readonly left: number | null
  readonly total: number | null
}

/**
 * Deletions that may be large. What is deleted is written down in the transaction that takes it
 * away from everybody; then its rows are removed in short transactions of another thread, and
 * whatever ends the process, the next start goes on.
 */
export interface Deletions {
  /**
   * Writes a deletion down, within the transaction that hides it from its owner, and removes as
   * much as fits into one slice. Answers its id.
   */
  begin(kind: DeletionKind, subject: string, title?: string): number
  /** Settles when nobody else can see anything of a deletion. */
  hidden(id: number): Promise<void>
  list(): DeletionState[]
  /**
   * Called again and again while rows of a deletion are removed, and once more when none is left.
   */
  onErased(listener: (deletion: PendingDeletion) => void): void
  /** Goes on with what the last run left. */
  resume(): void
  /**
   * Tidies the indexes of words that rows were deleted from, after whatever is still to be removed.
   */
  tidy(): void
  /** Settles when nothing is left to do. */
  settled(): Promise<void>
  /** Ends the thread after its transaction; what is left goes on at the next start. */
  close(): Promise<void>
}

/** What deletions are built from. */
export interface DeletionsDependencies {
  readonly sqlite: Sqlite.Database
  readonly writeTurns: WriteTurns
  readonly transaction: <Result>(work: () => Result) => Result
  readonly log?: Logger | undefined
}

const CLOSE_MILLISECONDS = 1500
const RETRY_MILLISECONDS = 60_000
/** SQLite's own default, in pages. */
const CHECKPOINT_PAGES = 1000

/**
 * Runs the thread, or in memory, where another connection would see nothing, the same work in turns
 * of this one.
 */
class DeletionRunner {
  readonly #options: DeletionsDependencies
  readonly #progress: Map<number, DeletionProgress>
  readonly #tell: (deletion: PendingDeletion) => void
  readonly #onEnd: () => void
  readonly #stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  /** Deletions of which others can still see something. */
  readonly held = new Set<number>()
  #running: Promise<void> | null = null
  #isWanted = false
  #retry: NodeJS.Timeout | undefined

  /** `onEnd` is called when rows and words of all deletions are gone. */
  constructor(
    options: DeletionsDependencies,
    progress: Map<number, DeletionProgress>,
    { tell, onEnd }: { tell: (deletion: PendingDeletion) => void; onEnd: () => void },
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
      } catch (error) {
        if (this.#isStopped) return
        this.#options.log?.error({ error }, 'rows of what was deleted could not be removed yet')
        this.#retry = setTimeout(() => this.wake(), RETRY_MILLISECONDS).unref()
      }
    }
  }

  #take(report: DeletionReport): void {
    if (report.type === 'progress') {
      this.#progress.set(report.progress.id, report.progress)
      const { sqlite } = this.#options
      const deletion =
        sqlite.open &&
        createEraser(sqlite)
          .pending()
          .find(({ id }) => id === report.progress.id)
      if (deletion) this.#tell(deletion)
      return
    }
    this.#tell(report.deletion)
    this.#progress.delete(report.deletion.id)
  }

  async #runHere(): Promise<void> {
    await nextTurn()
    if (this.#isStopped) return
    await runDeletions({
      sqlite: this.#options.sqlite,
      isHeld: (id) => this.held.has(id),
      pause: nextTurn,
      write: (work) => work(),
      isStopped: () => this.#isStopped,
      onProgress: (progress) => this.#take({ type: 'progress', progress }),
      onErased: (deletion) => this.#take({ type: 'erased', deletion }),
    })
  }

  /** The thread moves what it wrote out of the log, so that no request has to do that for it. */
  async #runThread(): Promise<void> {
    const { sqlite, writeTurns } = this.#options
    const workerData: DeletionThread = {
      database: sqlite.name,
      writeTurns,
      stop: this.#stop,
      held: [...this.held],
    }
    sqlite.pragma('wal_autocheckpoint = 0')
    try {
      await new Promise<void>((resolve, reject) => {
        const worker = new Worker(workerFile('deletion-worker', 'deletions'), {
          workerData,
          execArgv: [],
        })
        worker.unref()
        worker.on('message', (report: DeletionReport) => this.#take(report))
        worker.once('error', reject)
        worker.once('exit', () => resolve())
      })
    } finally {
      leaveTurn(writeTurns, BACKGROUND.deletions)
      if (sqlite.open) sqlite.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    }
  }
}

type ListedDeletion = Omit<DeletionState, 'left' | 'total'>

/**
 * Keeps deletions in the list of which words are left in the indexes alone, as they were listed
 * before.
 */
function followTidying(
  readAll: Statement<[], ListedDeletion>,
  progress: ReadonlyMap<number, DeletionProgress>,
) {
  const known = new Map<number, ListedDeletion>()
  const tidied = new Map<number, DeletionState>()
  return {
    look(): void {
      for (const state of readAll.all()) known.set(state.id, state)
    },
    noteErased({ id }: PendingDeletion): void {
      const [state, total] = [known.get(id), progress.get(id)?.total ?? null]
      if (state && readAll.all().every((listed) => listed.id !== id))
        tidied.set(id, { ...state, total, left: 0 })
    },
    clear(): void {
      tidied.clear()
      known.clear()
    },
    list: () => tidied.values(),
  }
}

/** Builds the deletions on the table of `0021-deletions`. */
export function createDeletions(options: DeletionsDependencies): Deletions {
  const { sqlite, transaction, log } = options
  const eraser = createEraser(sqlite)
  const insert = sqlite.prepare<[string, string, string]>(
    'insert into deletion (kind, subject, title, created_at) values (?, ?, ?, unixepoch()) on conflict do nothing',
  )
  const read = sqlite.prepare<[string, string], PendingDeletion>(
    'select id, kind, subject from deletion where kind = ? and subject = ?',
  )
  const readAll = sqlite.prepare<[], ListedDeletion>(
    "select id, kind, subject, title, created_at, case kind when 'file' then (select user_id from file where file.id = subject) " +
      "when 'files' then null else subject end as owner from deletion order by id",
  )
  const progress = new Map<number, DeletionProgress>()
  const listeners: ((deletion: PendingDeletion) => void)[] = []
  const tell = (deletion: PendingDeletion): void =>
    listeners.forEach((listener) => listener(deletion))
  const tidying = followTidying(readAll, progress)
  const noteErased = (deletion: PendingDeletion): void => {
    tidying.noteErased(deletion)
    tell(deletion)
  }
  const runner = new DeletionRunner(options, progress, {
    tell: noteErased,
    onEnd: () => tidying.clear(),
  })
  function wake(): void {
    if (!sqlite.open) return
    tidying.look()
    runner.wake()
  }
  const hiding = new Map<number, Promise<void>>()
  let erasedHere = 0

  /**
   * Goes on until others see nothing any more; a deletion that was taken back with its transaction
   * is left alone.
   */
  async function hideRest(deletion: PendingDeletion): Promise<void> {
    for (let isDone = false; !isDone;) {
      await nextTurn()
      if (!sqlite.open) return
      isDone = transaction(() => {
        if (read.get(deletion.kind, deletion.subject)?.id !== deletion.id) return true
        return eraser.hide(deletion, SLICE_MILLISECONDS).isDone
      })
    }
    runner.held.delete(deletion.id)
    wake()
  }
  function hideLater(deletion: PendingDeletion): void {
    if (hiding.has(deletion.id)) return
    runner.held.add(deletion.id)
    const rest = hideRest(deletion)
      .catch((error: unknown) =>
        log?.error({ error }, 'what was deleted could not be hidden yet; the next start goes on'),
      )
      .finally(() => hiding.delete(deletion.id))
    hiding.set(deletion.id, rest)
  }

  return {
    begin: (kind, subject, title = '') =>
      transaction(() => {
        insert.run(kind, subject, title)
        const deletion = read.get(kind, subject)!
        if (!eraser.hide(deletion, SLICE_MILLISECONDS).isDone) hideLater(deletion)
        // Most of what is deleted is small enough to be gone by now.
        else {
          const { isDone } = eraser.erase(deletion, SLICE_MILLISECONDS)
          if (isDone) queueMicrotask(() => tell(deletion))
          erasedHere += 1
          // Each leaves parts in the indexes of words, which the thread merges.
          if (!isDone || erasedHere % PARTS_TO_MERGE === 0) setImmediate(() => wake())
        }
        return deletion.id
      }),
    hidden: (id) => hiding.get(id) ?? Promise.resolve(),
    list: () => [
      ...tidying.list(),
      ...readAll.all().map((row) => ({
        ...row,
        left: progress.get(row.id)?.left ?? null,
        total: progress.get(row.id)?.total ?? null,
      })),
    ],
    onErased: (listener) => void listeners.push(listener),
    resume() {
      for (const deletion of eraser.pending()) hideLater(deletion)
    },
    tidy: wake,
    async settled() {
      await Promise.all(hiding.values())
      await nextTurn()
      await runner.settled()
    },
    close: () => runner.close(),
  }
}
