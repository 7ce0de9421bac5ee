/** A passage of a document: its words, and where they stand as far as it is known. */
export interface DocumentPlace {
  readonly text: string
  /** Counted from one. */
  readonly page: number | null
  /** Offsets into the text of the document, in UTF-16 units. */
  readonly start: number | null
  readonly end: number | null
}
