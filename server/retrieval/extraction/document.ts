/**
 * A page of a document: of a PDF, or a slide, a sheet, a chapter. Offsets count UTF-16 units of the
 * document's text.
 */
export interface DocumentPage {
  /** Counted from 1. */
  readonly number: number
  /** Displayed name, such as "iv", "Slide 3" or the name of a sheet. */
  readonly label: string | null
  readonly start: number
  readonly end: number
}

/** Result of extracting a file or page. */
export interface ExtractedDocument {
  /** The whole text with LF only, in NFC: Markdown for formats with structure, plain otherwise. */
  readonly text: string
  readonly format: 'markdown' | 'text' | 'code' | 'table'
  readonly title: string | null
  /** Empty if the format has no pages. */
  readonly pages: readonly DocumentPage[]
  /** Programming language of code, such as "typescript". */
  readonly language: string | null
  /** Sentences for users, such as "3 of 12 pages are pictures without text." */
  readonly notices: readonly string[]
}
