import type { DocumentIndex } from './document-index.ts'
import { IndexThread } from './indexing/index-thread.ts'
import type { IndexingThread } from './indexing/messages.ts'
import type { SearchThreadOptions } from './searching/messages.ts'
import { SearchThread } from './searching/search-thread.ts'

/** Opens the index in the SQLite file, which two threads read and write on separate connections. */
export function openSqliteIndex(
  { database, writeTurns, vectorBytes, vectorLibrary }: IndexingThread & SearchThreadOptions,
  onVectorsChecked: (problem: string | null) => void,
): DocumentIndex {
  return {
    writer: new IndexThread({ database, writeTurns, vectorLibrary }, onVectorsChecked),
    reader: new SearchThread({ database, vectorBytes, vectorLibrary }, onVectorsChecked),
  }
}
