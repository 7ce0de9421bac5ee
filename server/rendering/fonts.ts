/** Files of the fonts, for text, what stands out, and code. */
export interface Fonts {
  readonly text: string
  readonly bold: string
  readonly code: string
}
