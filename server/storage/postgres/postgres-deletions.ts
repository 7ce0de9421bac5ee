import type { Logger } from '../../lib/logger.ts'
import type { Deletions, DeletionState } from '../deletions/deletions.ts'
import { DeletionRecords } from '../deletions/deletion-records.ts'
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

/** Database features that deletions need. */
type DeletionStorage = Storage

/** Deletions in a PostgreSQL database, in short transactions of this process. */
export class PostgresDeletions implements Deletions {
  readonly #storage: DeletionStorage
  readonly #log: Logger | undefined
  readonly #eraser
  readonly #records
  readonly #running = new Map<number, { hidden: PromiseWithResolvers<void>; over: Promise<void> }>()
  #isStopped = false

  constructor(storage: DeletionStorage, log: Logger | undefined) {
    this.#storage = storage
    this.#log = log
    this.#eraser = new PostgresEraser((sql) => storage.prepare(sql))
    this.#records = new DeletionRecords(storage)
  }

  begin(kind: DeletionKind, subject: string, title = ''): Promise<number> {
    return this.#storage.transaction(async () => {
      const deletion = await this.#records.add(kind, subject, title)
      const { isDone } = await this.#eraseFirst(deletion)
      this.#storage.afterCommit(() =>
        isDone ? this.#records.notify(deletion) : this.#goOn(deletion),
      )
      return deletion.id
    })
  }

  hidden(id: number): Promise<void> {
    return this.#running.get(id)?.hidden.promise ?? Promise.resolve()
  }

  list(): Promise<DeletionState[]> {
    return this.#records.list()
  }

  onErased(listener: (deletion: PendingDeletion) => Promise<void>): void {
    this.#records.addListener(listener)
  }

  resume(): void {
    void this.tidy().catch((error: unknown) =>
      this.#log?.error({ error }, 'pending deletions could not be read'),
    )
  }

  async tidy(): Promise<void> {
    if (this.#isStopped || !this.#storage.isOpen) return
    for (const deletion of await this.#records.pending()) this.#goOn(deletion)
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
        this.#records.progress.delete(deletion.id)
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
        this.#records.progress.set(deletion.id, { total, left })
        await this.#records.notify(deletion)
      },
    )
  }
}
