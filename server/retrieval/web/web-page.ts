import type { ExtractedDocument } from '../extraction/index.ts'

/** What is at an address, as text. */
export interface WebPage {
  /** Where it came from after redirects. */
  readonly url: string
  readonly title: string | null
  /** Its title, or what stands last in the address. */
  readonly name: string
  readonly text: string
  readonly content: ExtractedDocument
}
