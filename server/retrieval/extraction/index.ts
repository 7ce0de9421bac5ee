import type { ExtractedDocument } from './document.ts'

export type { DocumentPage, ExtractedDocument } from './document.ts'

/** A stored file whose text is wanted. */
export interface FileSource {
  /** Of the bytes, readable by this process. */
  readonly path: string
  readonly filename: string
  readonly contentType: string | null
}

/** A fetched web page. */
export interface PageSource {
  /** Bytes are decoded by what the page or `contentType` declares. */
  readonly html: string | Uint8Array
  readonly url: string
  readonly contentType?: string | null
}

export interface ExtractionOptions {
  readonly signal: AbortSignal
  /** Pages, or bytes where there are no pages; `total` is null while unknown. */
  readonly onProgress?: (done: number, total: number | null) => void
}

/** Text out of documents, in processes of their own with limits on time and memory. */
export interface Extraction {
  /**
   * Text of a file. Throws `ServiceError` 422 with a sentence for people when the file is damaged, protected, of a kind that
   * cannot be read, or too large for the limits; 400 when the signal stopped it.
   */
  extract(source: FileSource, options: ExtractionOptions): Promise<ExtractedDocument>
  /** The article of a web page without menus and advertisements as Markdown; faults as `extract`. */
  extractPage(source: PageSource, options: ExtractionOptions): Promise<ExtractedDocument>
  /** Whether files of this name and type are worth trying; pictures, sound and film are not. */
  canExtract(filename: string, contentType: string | null): boolean
  /** Ends the workers; what is running is refused. */
  close(): Promise<void>
}
