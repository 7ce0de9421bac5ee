import type { ExtractedDocument } from '../extraction/index.ts'

/** The content of a URL, as text. */
export interface WebPage {
  /** URL after redirects. */
  readonly url: string
  readonly title: string | null
  /** Its title, or the last part of the URL. */
  readonly name: string
  readonly text: string
  readonly content: ExtractedDocument
}
