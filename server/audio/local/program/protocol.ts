/** What the gateway asks of the process that understands speech, one thing at a time. */
export interface SpeechOrder {
  /** The file of the model. */
  readonly model: string
  /** The file of the recording. */
  readonly recording: string
  /** Such as `de`; `auto` where nobody knows. */
  readonly language: string
  /** Whether the graphics processor may be used. */
  readonly usesGraphics: boolean
}

/** The words of a recording, or why there are none, in a sentence. */
export type SpeechReport =
  | { readonly text: string }
  | { readonly status: number; readonly problem: string }
