/** A document to open, and its relevant passage. */
export interface DocumentToOpen {
  readonly fileId: string
  readonly name: string
  readonly passage?: {
    readonly text: string
    readonly page: number | null
    readonly start: number
    readonly end: number
  }
}

export type OpenDocument = (document: DocumentToOpen) => void
