import type { FinishedIndexing, IndexingPlan, IndexingSource } from './indexing/messages.ts'
import type { Passage } from './passage.ts'
import type { IndexHealth, SearchOrder } from './searching/messages.ts'

/** Callbacks of the caller for writing a version. */
export interface JobHandlers {
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>
  readonly onProgress: (done: number, total: number) => void
}

/** A complete version. `settle` is called when it has replaced the former one, or is not needed. */
export interface CompleteVersion extends FinishedIndexing {
  settle(): void
}

/**
 * Writes the index of documents: a version beside the current one, which is not searchable until it
 * replaces that. If interrupted, the remaining rows are never found and removed by `purge`.
 */
export interface IndexWriter {
  /** Rejects when the signal aborts it, with the engine's error, or with any other error. */
  run(
    source: IndexingSource,
    plan: IndexingPlan,
    handlers: JobHandlers,
    signal: AbortSignal,
  ): Promise<CompleteVersion>
  /** Removes the rows of unneeded versions gradually. */
  purge(): void
  /** Rebuilds the word index from the stored passages. */
  rebuildWords(): Promise<void>
  close(): Promise<void>
}

/** Searches the index of documents; each search sees one consistent state. */
export interface IndexReader {
  search(order: SearchOrder, signal: AbortSignal): Promise<Passage[]>
  /** Drops duplicates and joins neighbours among reranked passages. */
  choose(passages: readonly Passage[], order: SearchOrder, signal: AbortSignal): Promise<Passage[]>
  countTokens(text: string): Promise<number>
  checkHealth(): Promise<IndexHealth>
  close(): Promise<void>
}

/** The document index in the database of the gateway. */
export interface DocumentIndex {
  readonly writer: IndexWriter
  readonly reader: IndexReader
}
