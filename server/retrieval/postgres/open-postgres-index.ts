import type { Logger } from '../../lib/logger.ts'
import type { Storage } from '../../storage/index.ts'
import type { DocumentIndex } from '../document-index.ts'
import { IndexStore } from './index-store.ts'
import { PostgresReader } from './postgres-reader.ts'
import { PostgresWriter } from './postgres-writer.ts'
import { SearchStore } from './search-store.ts'
import { TextThread } from './text-thread.ts'

/**
 * Opens the index in a PostgreSQL database. Splitting and ranking have a thread each, so that a
 * search does not wait for a document. `self` names this gateway among several.
 */
export const openPostgresIndex = (storage: Storage, log: Logger, self = ''): DocumentIndex => ({
  writer: new PostgresWriter(storage, new IndexStore(storage, self), new TextThread(), log),
  reader: new PostgresReader(new SearchStore(storage), new TextThread()),
})
