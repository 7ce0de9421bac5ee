/** Font files for text, emphasised text, and code. */
export interface Fonts {
  readonly text: string
  readonly bold: string
  readonly code: string
}
