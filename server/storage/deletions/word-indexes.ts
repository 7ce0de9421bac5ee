import type Sqlite from 'better-sqlite3'

/** Word indexes of data that deletions erase. */
export const ERASED_INDEXES = [
  'message_search',
  'chat_search',
  'memory_search',
  'channel_message_search',
] as const

/**
 * Percentage of deleted rows above which a part of an index is rewritten. FTS5 takes integers only.
 */
const WORTH_TIDYING = 10n
/** Percentage above which a part is rewritten while more is being deleted: each row is rewritten about
 * once. */
const WORTH_THINNING = 50n
/** Number of rows that can be merged in some milliseconds, even if all of them are marked. */
const FEW_ROWS = 4000
/** Number of index parts that are merged into one during writes; the default of FTS5. */
const PARTS = 4n
/**
 * Number of transactions that each leave a part of an index before those are merged: the same as in
 * FTS5.
 */
export const PARTS_TO_MERGE = 16
/** Number of pages of an empty index. */
const EMPTY_PAGES = 2

/**
 * A full-text index whose deleted rows are only marked. Merging drops them, but one step of a merge
 * reads on until it has something to write: if a whole part of the index is marked it would read
 * all of it at once. So parts are thinned out repeatedly while rows are deleted, as soon as half of
 * one is marked, and the index is tidied at the end.
 */
export class WordIndex {
  readonly #any
  readonly #pagesOf
  readonly #command
  readonly #changes
  readonly #automerge
  #marked = 0
  #parts = 0

  constructor(sqlite: Sqlite.Database, name: string) {
    this.#any = sqlite.prepare<[], number>(`select 1 from ${name}_docsize limit 1`).pluck()
    this.#pagesOf = sqlite
      .prepare<[], number>(
        `select count(*) from (select 1 from ${name}_data limit ${EMPTY_PAGES + 1})`,
      )
      .pluck()
    this.#command = sqlite.prepare<[string, bigint | null]>(
      `insert into ${name} (${name}, rank) values (?, ?)`,
    )
    this.#automerge = sqlite
      .prepare<[], number>(`select v from ${name}_config where k = 'automerge'`)
      .pluck()
    this.#changes = sqlite.prepare<[], number>('select total_changes()').pluck()
  }

  /**
   * Deletes rows within a transaction without merging anything: FTS5 merges more, the more rows one
   * transaction deletes.
   */
  markOnly<Result>(work: () => Result): Result {
    if (this.isResting()) return work()
    this.rest()
    const result = work()
    // The marks must be written before the setting changes.
    this.mergeAgain()
    return result
  }

  /**
   * Disables automatic merging until `mergeAgain`: otherwise any other write would continue a merge
   * of marked parts, which blocks the event loop.
   */
  rest(): void {
    this.#command.run('automerge', 0n)
  }

  mergeAgain(): void {
    this.#command.run('automerge', PARTS)
  }

  isResting(): boolean {
    return this.#automerge.get() === 0
  }

  /** Records the maximum number of its rows just deleted in one transaction. */
  noteErased(rows: number): void {
    this.#marked += rows
    if (rows > 0) this.#parts += 1
  }

  /** Returns true if the index must be thinned out before more of it is deleted. */
  isDue(): boolean {
    return this.#marked >= FEW_ROWS || this.#parts >= PARTS_TO_MERGE
  }

  /**
   * Rewrites some pages of parts that are half deleted, or of too many parts; returns false if
   * there are none.
   */
  thinSome(pages: number): boolean {
    return this.#merge(pages, WORTH_THINNING)
  }

  /**
   * Rewrites some pages of the index without the deleted rows; returns false if it is not
   * worthwhile.
   */
  tidySome(pages: number): boolean {
    if (this.#any.get() !== undefined) return this.#merge(pages, WORTH_TIDYING)
    if (this.#pagesOf.get()! > EMPTY_PAGES) this.#command.run('delete-all', null)
    return false
  }

  #merge(pages: number, share: bigint): boolean {
    this.#marked = 0
    this.#parts = 0
    this.#command.run('deletemerge', share)
    const before = this.#changes.get()!
    this.#command.run('merge', BigInt(pages))
    const isChanged = this.#changes.get()! - before > 1
    this.#command.run('deletemerge', 0n)
    return isChanged
  }
}
