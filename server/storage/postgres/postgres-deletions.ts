import type { Logger } from '../../lib/logger.ts'
import type { Deletions, DeletionState } from '../deletions/deletions.ts'
import type { PendingDeletion, Slice } from '../deletions/eraser.ts'
import type { Storage } from '../storage.ts'
import type { DeletionKind } from '../tables/deletions.ts'
import { PostgresEraser } from './postgres-eraser.ts'

/**
 * Time for which the deleting transaction removes rows itself; most deletions are completed by
 * then.
 */
const FIRST_SLICE_MILLISECONDS = 50
const SLICE_MILLISECONDS = 200
const RETRY_MILLISECONDS = 60_000

type Listener = (deletion: PendingDeletion) => Promise<void>
type ListedDeletion = Omit<DeletionState, 'left' | 'total'>

/** Database features that deletions need. */
export type DeletionStorage = Pick<Storage, 'isOpen' | 'prepare' | 'transaction' | 'afterCommit'>

/** Deletions in a PostgreSQL database, in short transactions of this process. */
export class PostgresDeletions implements Deletions {
  readonly #storage: DeletionStorage
  readonly #log: Logger | undefined
  readonly #eraser
  readonly #insert
  readonly #read
  readonly #pending
  readonly #readAll
  readonly #listeners: Listener[] = []
  readonly #progress = new Map<number, { total: number; left: number }>()
  readonly #running = new Map<number, { hidden: PromiseWithResolvers<void>; over: Promise<void> }>()
  #isStopped = false

  constructor(storage: DeletionStorage, log: Logger | undefined) {
    this.#storage = storage
    this.#log = log
    this.#eraser = new PostgresEraser((sql) => storage.prepare(sql))
    this.#insert = storage.prepare<[string, string, string]>(
      'insert into deletion (kind, subject, title, created_at) values (?, ?, ?, unixepoch()) on conflict do nothing',
    )
    this.#read = storage.prepare<[string, string], PendingDeletion>(
      'select id, kind, subject from deletion where kind = ? and subject = ?',
    )
    this.#pending = storage.prepare<[], PendingDeletion>(
      'select id, kind, subject from deletion order by id',
    )
    this.#readAll = storage.prepare<[], ListedDeletion>(
      "select id, kind, subject, title, created_at, case kind when 'file' then (select user_id from file where file.id = subject) " +
        "when 'files' then null else subject end as owner from deletion order by id",
    )
  }

  begin(kind: DeletionKind, subject: string, title = ''): Promise<number> {
    return this.#storage.transaction(async () => {
      await this.#insert.run(kind, subject, title)
      const deletion = (await this.#read.get(kind, subject))!
      const { isDone } = await this.#eraseFirst(deletion)
      this.#storage.afterCommit(() => (isDone ? this.#tell(deletion) : this.#goOn(deletion)))
      return deletion.id
    })
  }

  hidden(id: number): Promise<void> {
    return this.#running.get(id)?.hidden.promise ?? Promise.resolve()
  }

  async list(): Promise<DeletionState[]> {
    return (await this.#readAll.all()).map((row) => ({
      ...row,
      left: this.#progress.get(row.id)?.left ?? null,
      total: this.#progress.get(row.id)?.total ?? null,
    }))
  }

  onErased(listener: Listener): void {
    this.#listeners.push(listener)
  }

  resume(): void {
    void this.tidy().catch((error: unknown) =>
      this.#log?.error({ error }, 'pending deletions could not be read'),
    )
  }

  async tidy(): Promise<void> {
    if (this.#isStopped || !this.#storage.isOpen) return
    for (const deletion of await this.#pending.all()) this.#goOn(deletion)
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ over }) => over))
  }

  async close(): Promise<void> {
    this.#isStopped = true
    await this.settled()
  }

  async #eraseFirst(deletion: PendingDeletion): Promise<Slice> {
    const hidden = await this.#eraser.hide(deletion, FIRST_SLICE_MILLISECONDS)
    return hidden.isDone ? this.#eraser.erase(deletion, FIRST_SLICE_MILLISECONDS) : hidden
  }

  async #tell(deletion: PendingDeletion): Promise<void> {
    for (const listener of this.#listeners) await listener(deletion)
  }

  #goOn(deletion: PendingDeletion): void {
    if (this.#running.has(deletion.id)) return
    const hidden = Promise.withResolvers<void>()
    const over = this.#remove(deletion, hidden.resolve)
      .catch((error: unknown) => {
        this.#log?.error({ error }, 'rows of deleted objects could not be removed yet')
        setTimeout(() => this.resume(), RETRY_MILLISECONDS).unref()
      })
      .finally(() => {
        hidden.resolve()
        this.#running.delete(deletion.id)
        this.#progress.delete(deletion.id)
      })
    this.#running.set(deletion.id, { hidden, over })
  }

  /** If there are several gateways, each may remove some of the rows. */
  async #remove(deletion: PendingDeletion, onHidden: () => void): Promise<void> {
    const inSlices = async (slice: () => Promise<Slice>, onSlice: (slice: Slice) => unknown) => {
      for (let isDone = false; !isDone && !this.#isStopped;) {
        const done = await this.#storage.transaction(slice)
        await onSlice(done)
        isDone = done.isDone
      }
    }
    await inSlices(
      () => this.#eraser.hide(deletion, SLICE_MILLISECONDS),
      () => undefined,
    )
    onHidden()
    const total = await this.#eraser.count(deletion)
    let left = total
    await inSlices(
      () => this.#eraser.erase(deletion, SLICE_MILLISECONDS),
      async ({ erased }) => {
        left = Math.max(0, left - erased)
        this.#progress.set(deletion.id, { total, left })
        await this.#tell(deletion)
      },
    )
  }
}
