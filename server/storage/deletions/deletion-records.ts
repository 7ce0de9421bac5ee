import type { Storage } from '../storage.ts'
import type { DeletionKind } from '../tables/deletions.ts'
import type { DeletionState } from './deletions.ts'
import type { PendingDeletion } from './eraser.ts'
import type { DeletionProgress } from './run-deletions.ts'

export type ListedDeletion = Omit<DeletionState, 'left' | 'total'>
type Listener = (deletion: PendingDeletion) => Promise<void>

/** The recorded deletions, their progress, and the listeners for it. */
export class DeletionRecords {
  readonly progress = new Map<number, Pick<DeletionProgress, 'left' | 'total'>>()
  readonly #insert
  readonly #find
  readonly #pending
  readonly #listed
  readonly #listeners: Listener[] = []

  constructor(storage: Storage) {
    this.#insert = storage.prepare<[string, string, string]>(
      'insert into deletion (kind, subject, title, created_at) values (?, ?, ?, unixepoch()) on conflict do nothing',
    )
    this.#find = storage.prepare<[string, string], PendingDeletion>(
      'select id, kind, subject from deletion where kind = ? and subject = ?',
    )
    this.#pending = storage.prepare<[], PendingDeletion>(
      'select id, kind, subject from deletion order by id',
    )
    this.#listed = storage.prepare<[], ListedDeletion>(
      "select id, kind, subject, title, created_at, case kind when 'file' then (select user_id from file where file.id = subject) " +
        "when 'files' then null else subject end as owner from deletion order by id",
    )
  }

  /** Records a deletion, once; resolves with it. */
  async add(kind: DeletionKind, subject: string, title: string): Promise<PendingDeletion> {
    await this.#insert.run(kind, subject, title)
    return (await this.#find.get(kind, subject))!
  }

  /** Resolves with whether a deletion is still recorded. */
  async has({ id, kind, subject }: PendingDeletion): Promise<boolean> {
    return (await this.#find.get(kind, subject))?.id === id
  }

  pending(): Promise<PendingDeletion[]> {
    return this.#pending.all()
  }

  async list(): Promise<DeletionState[]> {
    return (await this.#listed.all()).map((row) => {
      const { left = null, total = null } = this.progress.get(row.id) ?? {}
      return { ...row, left, total }
    })
  }

  addListener(listener: Listener): void {
    this.#listeners.push(listener)
  }

  /** Calls the listeners, one after the other. */
  async notify(deletion: PendingDeletion): Promise<void> {
    for (const listener of this.#listeners) await listener(deletion)
  }
}
