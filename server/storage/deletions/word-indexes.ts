import type Sqlite from 'better-sqlite3'

/** Indexes of what deletions erase. */
export const ERASED_INDEXES = ['message_search', 'chat_search', 'memory_search'] as const

/** Share of rows without use, in percent, above which a part of an index is written anew. FTS5 takes integers only. */
const WORTH_MERGING = 10n
/** How much of an index may be marked while more is being deleted. */
const MOST_MARKED = 0.75
/** So many rows are merged in some milliseconds, even when all of them are marked. */
const FEW_ROWS = 4000
/** Parts of an index that are merged into one as others are written; the default of FTS5. */
const PARTS = 4n
/** Pages of an index without anything in it. */
const EMPTY_PAGES = 2

/**
 * A full-text index whose deleted rows are only marked. Merging drops them, but one step of a merge reads on until it has something to
 * write: where nearly everything is marked it would read the whole index at once. So an index is tidied as soon as three quarters of
 * it are marked, not only at the end.
 */
export interface WordIndex {
  /** Deletes rows within a transaction without merging anything: FTS5 merges the more, the more rows one transaction deletes. */
  markOnly<Result>(work: () => Result): Result
  /** Notes that at most so many of its rows were just deleted. */
  noteErased(rows: number): void
  /** Whether so much is marked that the index has to be tidied before more of it is deleted. */
  isDue(): boolean
  /** Writes some pages of the index anew, without what was deleted; false when there is nothing worth it. */
  tidySome(pages: number): boolean
}

export function createWordIndex(sqlite: Sqlite.Database, name: string): WordIndex {
  const count = sqlite.prepare<[], number>(`select count(*) from ${name}_docsize`).pluck()
  const any = sqlite.prepare<[], number>(`select 1 from ${name}_docsize limit 1`).pluck()
  const pagesOf = sqlite.prepare<[], number>(`select count(*) from (select 1 from ${name}_data limit ${EMPTY_PAGES + 1})`).pluck()
  const command = sqlite.prepare<[string, bigint | null]>(`insert into ${name} (${name}, rank) values (?, ?)`)
  const changes = sqlite.prepare<[], number>('select total_changes()').pluck()
  /** Rows that may be deleted before the index is due; unknown at first. */
  let rest: number | null = null

  return {
    markOnly(work) {
      command.run('automerge', 0n)
      const result = work()
      // What was marked is written before the setting changes.
      command.run('automerge', PARTS)
      return result
    },
    noteErased(rows) {
      rest ??= Math.max(FEW_ROWS, (count.get()! + rows) * MOST_MARKED)
      rest -= rows
    },
    isDue: () => rest !== null && rest <= 0,
    tidySome(pages) {
      rest = null
      if (any.get() === undefined) {
        if (pagesOf.get()! > EMPTY_PAGES) command.run('delete-all', null)
        return false
      }
      command.run('deletemerge', WORTH_MERGING)
      const before = changes.get()!
      command.run('merge', BigInt(pages))
      const isChanged = changes.get()! - before > 1
      command.run('deletemerge', 0n)
      return isChanged
    },
  }
}
