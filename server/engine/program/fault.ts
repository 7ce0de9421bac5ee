/** The status of a call for which there is too little memory. */
export const NO_ROOM = 507

/** Error in a call or a model, with a message for the user. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'
  readonly status: number

  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

const OTHER = 'The model could not answer. Try again, or choose another model.'

/**
 * Converts any failure into one with a message; technical errors of the library stay in `cause`.
 */
export function toFault(error: unknown): EngineFault {
  if (error instanceof EngineFault) return error
  if (error instanceof Error && /context shift|context size/i.test(error.message))
    return new EngineFault(
      400,
      'The conversation is longer than this model can read at once. Shorten it, or begin a new chat.',
      error,
    )
  return new EngineFault(500, OTHER, error)
}
