import type { Files } from '../../files/index.ts'
import type { Knowledge } from '../../knowledge/index.ts'
import type { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import type { Retrieval, WebReader } from '../../retrieval/index.ts'
import type { Library } from './library.ts'
import { createPageCache } from './page-cache.ts'

interface LibraryParts extends Pick<Library, 'searchWeb' | 'readDocument' | 'notes'> {
  readonly files: Files
  readonly knowledge: Knowledge
  readonly retrieval: Retrieval
  readonly webReader: WebReader
  readonly guardedFetch: GuardedFetch
}

/** Creates the library of sources for answers. */
export function createLibrary(parts: LibraryParts): Library {
  const { files, knowledge, retrieval, webReader, guardedFetch, searchWeb, readDocument, notes } =
    parts
  return {
    files,
    knowledge,
    retrieval,
    notes,
    readDocument,
    scopeOf: async (caller, name) =>
      (await knowledge.collections.resolve(caller, name, 'read'))?.scope ?? null,
    readPage: createPageCache(
      (url, signal) => webReader.read(url, signal),
      (url) => guardedFetch.check(url),
    ),
    searchWeb,
  }
}
