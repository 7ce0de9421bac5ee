/**
 * Call that failed on its connection. The codes are those of undici, which makes some of the calls
 * for the same callers.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code: string

  constructor(message: string, code = 'UND_ERR_SOCKET') {
    super(message)
    this.code = code
  }
}
