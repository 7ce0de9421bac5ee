import type { ExtractedDocument } from './document.ts'

/**
 * What a worker is asked to do; one at a time. Pages arrive as bytes or text because they are
 * stored nowhere.
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
 * What a worker answers: parts of the text in order, then the rest of the document or why there is
 * none. A worker is spent when it holds so much memory that the next document would have too
 * little.
 */
export type WorkerReport =
  | { readonly type: 'progress'; readonly done: number; readonly total: number | null }
  | { readonly type: 'part'; readonly text: string }
  | {
      readonly type: 'done'
      readonly document: Omit<ExtractedDocument, 'text'>
      readonly isSpent: boolean
    }
  /** The document is to blame, in a sentence for people; `cause` is for the log. */
  | {
      readonly type: 'refused'
      readonly message: string
      readonly cause?: string
      readonly isSpent: boolean
    }
