import type { SearchHit } from '#contract/retrieval.ts'
import type { Caller } from '../../lib/http.ts'
import type { Notes } from '../../notes/index.ts'
import type { DocumentBytes, ExtractedDocument, Retrieval } from '../../retrieval/index.ts'

/** A stored file as far as answers need to know it. */
export interface LibraryFile {
  readonly id: string
  readonly filename: string
  readonly status: 'pending' | 'completed' | 'failed'
  /** False for a file that stays `pending` until somebody asks for it to be read. */
  readonly isAsked: boolean
  /** Why it failed, for people. */
  readonly error: string | null
  readonly meta: { readonly content_type?: string | null }
}

/** A page of the web as text. */
export interface WebPage {
  readonly url: string
  readonly title: string | null
  readonly text: string
}

/**
 * Everything an answer may draw on. Whoever is asked for something checks that the caller may read
 * it.
 */
export interface Library {
  readonly files: {
    /** Null for a missing and for a foreign file alike. */
    get(userId: string, id: string): Promise<LibraryFile | null>
    content(id: string): Promise<ExtractedDocument | null>
    /** Without reading it; null until the file is extracted. */
    textLength(id: string): Promise<number | null>
    /** A picture as a `data:` address; null when the file is none or not the caller's to read. */
    toDataUrl(userId: string, id: string): Promise<string | null>
  }
  readonly knowledge: {
    get(caller: Caller, id: string): Promise<{ readonly id: string; readonly name: string } | null>
    fileIds(id: string): Promise<readonly string[]>
  }
  readonly notes: Pick<Notes, 'get'>
  /**
   * Text of a document that came with a request. 422 with a sentence for people when it cannot be
   * read.
   */
  readDocument(document: DocumentBytes, signal: AbortSignal): Promise<ExtractedDocument>
  readonly retrieval: Pick<Retrieval, 'search' | 'index' | 'forget' | 'countTokens'>
  /**
   * The name under which the index knows what the caller calls by this name; null when there is
   * nothing of theirs to read.
   */
  scopeOf(caller: Caller, collection: string): Promise<string | null>
  /** Fetches a page, with the guards that hold for addresses people give. */
  readPage(url: string, signal: AbortSignal): Promise<WebPage>
  /**
   * Asks the search engine of the administrator, each page once; 400 without one, 502 and 504 when
   * it fails.
   */
  searchWeb(queries: readonly string[], signal: AbortSignal): Promise<SearchHit[]>
}
