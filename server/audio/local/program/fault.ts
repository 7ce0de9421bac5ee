/** Fault of a recording or a model; the message is a sentence for the user who sent it. */
export class SpeechFault extends Error {
  override readonly name = 'SpeechFault'
  readonly status: number

  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

export const unreadable = (cause?: unknown): SpeechFault =>
  new SpeechFault(400, 'The recording cannot be read: it is damaged or incomplete.', cause)
