import type { SearchHit } from '#contract/retrieval.ts'
import type { Caller } from '../../lib/http.ts'
import type { Notes } from '../../notes/index.ts'
import type { DocumentBytes, ExtractedDocument, Retrieval } from '../../retrieval/index.ts'

/** Fields of a stored file that answers need. */
export interface LibraryFile {
  readonly id: string
  readonly filename: string
  readonly status: 'pending' | 'completed' | 'failed'
  /** False for a file that stays `pending` until its processing is requested. */
  readonly isAsked: boolean
  /** Reason of the failure, as a message for users. */
  readonly error: string | null
  readonly meta: { readonly content_type?: string | null }
}

/** Web page as text. */
export interface WebPage {
  readonly url: string
  readonly title: string | null
  readonly text: string
}

/** Sources an answer may use. Every method checks that the caller may read the requested item. */
export interface Library {
  readonly files: {
    /** Resolves with null both for a missing file and for one of another user. */
    get(userId: string, id: string): Promise<LibraryFile | null>
    content(id: string): Promise<ExtractedDocument | null>
    /** Returns the length without reading the text; null until the file is extracted. */
    textLength(id: string): Promise<number | null>
    /**
     * Returns an image as a `data:` URL; null if the file is not an image or not readable by the
     * caller.
     */
    toDataUrl(userId: string, id: string): Promise<string | null>
  }
  readonly knowledge: {
    get(caller: Caller, id: string): Promise<{ readonly id: string; readonly name: string } | null>
    fileIds(id: string): Promise<readonly string[]>
  }
  readonly notes: Pick<Notes, 'get'>
  /**
   * Returns the text of a document sent with a request. Throws 422 with a message for users if it
   * cannot be read.
   */
  readDocument(document: DocumentBytes, signal: AbortSignal): Promise<ExtractedDocument>
  readonly retrieval: Pick<Retrieval, 'search' | 'index' | 'forget' | 'countTokens'>
  /**
   * Returns the index name of a collection the caller refers to by this name; null if there is none
   * the caller may read.
   */
  scopeOf(caller: Caller, collection: string): Promise<string | null>
  /** Fetches a page, with the guards that apply to user-supplied URLs. */
  readPage(url: string, signal: AbortSignal): Promise<WebPage>
  /**
   * Queries the administrator's search engine and returns each page once; throws 400 without an
   * engine, 502 and 504 if it fails.
   */
  searchWeb(queries: readonly string[], signal: AbortSignal): Promise<SearchHit[]>
}
