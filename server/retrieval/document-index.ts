import type { FinishedIndexing, IndexingPlan, IndexingSource } from './indexing/messages.ts'
import type { Passage } from './passage.ts'
import type { IndexHealth, SearchOrder } from './searching/messages.ts'

/** What writing a version needs from whoever asked for it. */
export interface JobHandlers {
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>
  readonly onProgress: (done: number, total: number) => void
}

/** A version that is complete. `settle` is called when it has taken its place, or is not wanted. */
export interface CompleteVersion extends FinishedIndexing {
  settle(): void
}

/**
 * Writes the index of documents: a version beside the one in place, which nobody finds until it
 * takes that place. What is killed in between leaves rows that are never found and that `purge`
 * removes.
 */
export interface IndexWriter {
  /** Fails when the signal stops it, with the engine's error, or with what went wrong. */
  run(
    source: IndexingSource,
    plan: IndexingPlan,
    handlers: JobHandlers,
    signal: AbortSignal,
  ): Promise<CompleteVersion>
  /** Removes the rows of versions nobody needs, by and by. */
  purge(): void
  /** Builds the index of words anew from the stored passages. */
  rebuildWords(): Promise<void>
  close(): Promise<void>
}

/** Searches the index of documents; each search sees one state of it. */
export interface IndexReader {
  search(order: SearchOrder, signal: AbortSignal): Promise<Passage[]>
  /** Drops duplicates and joins neighbours among passages that were ranked again. */
  choose(passages: readonly Passage[], order: SearchOrder, signal: AbortSignal): Promise<Passage[]>
  countTokens(text: string): Promise<number>
  checkHealth(): Promise<IndexHealth>
  close(): Promise<void>
}

/** The index in the database of the gateway. */
export interface DocumentIndex {
  readonly writer: IndexWriter
  readonly reader: IndexReader
}
