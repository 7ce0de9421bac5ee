/** A passage of a document: its text, and its position as far as known. */
export interface DocumentPlace {
  readonly text: string
  /** One-based page number. */
  readonly page: number | null
  /** Offsets into the text of the document, in UTF-16 units. */
  readonly start: number | null
  readonly end: number | null
}
