import type { DocumentIndex } from './document-index.ts'
import { IndexThread } from './indexing/index-thread.ts'
import type { IndexingThread } from './indexing/messages.ts'
import type { SearchThreadOptions } from './searching/messages.ts'
import { SearchThread } from './searching/search-thread.ts'

/** The index in the file of SQLite, which two threads read and write on connections of their own. */
export function openSqliteIndex(
  { database, writeTurns, vectorBytes, vectorLibrary }: IndexingThread & SearchThreadOptions,
  onVectorsChecked: (problem: string | null) => void,
): DocumentIndex {
  return {
    writer: new IndexThread({ database, writeTurns, vectorLibrary }, onVectorsChecked),
    reader: new SearchThread({ database, vectorBytes, vectorLibrary }, onVectorsChecked),
  }
}
