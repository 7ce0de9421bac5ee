import type { ExtractedDocument } from './document.ts'

/**
 * A job of a worker; one at a time. Pages are sent as bytes or text because they are not stored.
 */
export type ExtractionJob =
  | {
      readonly kind: 'file'
      readonly path: string
      readonly filename: string
      readonly contentType: string | null
    }
  | {
      readonly kind: 'page'
      readonly html: string | Uint8Array
      readonly url: string
      readonly contentType: string | null
    }

/**
 * A worker's report: parts of the text in order, then the rest of the document or the reason for
 * failure. A worker is spent if it holds so much memory that too little is left for the next
 * document.
 */
export type WorkerReport =
  | { readonly type: 'progress'; readonly done: number; readonly total: number | null }
  | { readonly type: 'part'; readonly text: string }
  | {
      readonly type: 'done'
      readonly document: Omit<ExtractedDocument, 'text'>
      readonly isSpent: boolean
    }
  /** The document is at fault, explained in a sentence for users; `cause` is for the log. */
  | {
      readonly type: 'refused'
      readonly message: string
      readonly cause?: string
      readonly isSpent: boolean
    }
