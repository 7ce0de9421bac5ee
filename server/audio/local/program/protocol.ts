/** An order from the gateway to the speech process, one at a time. */
export interface SpeechOrder {
  /** Path of the model file. */
  readonly model: string
  /** Path of the recording file. */
  readonly recording: string
  /** A language tag such as `de`; `auto` if unknown. */
  readonly language: string
  /** True if the graphics processor may be used. */
  readonly usesGraphics: boolean
}

/** Transcript of a recording, or the reason there is none, as a sentence. */
export type SpeechReport =
  | { readonly text: string }
  | { readonly status: number; readonly problem: string }
