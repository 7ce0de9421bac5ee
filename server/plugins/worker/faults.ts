/** What a worker says about a call that failed (PROTOCOL.md, Calls). */
export interface FailureDetails {
  readonly code: string
  readonly type: string
  readonly message: string
  readonly traceback: string | null
  readonly line: number | null
  readonly detail?: unknown
}

/**
 * A call of a plugin that failed: by an exception of its code, because it could not be loaded, or
 * because its worker went away.
 */
export class PluginFailure extends Error {
  override readonly name = 'PluginFailure'
  readonly details: FailureDetails

  constructor(details: FailureDetails) {
    super(details.message === '' ? details.type : details.message)
    this.details = details
  }
}

const text = (value: unknown, fallback: string): string =>
  typeof value === 'string' ? value : fallback

/**
 * Reads the `error` of a failure; a worker that says less than it should is not trusted to have
 * said it right.
 */
export function toFailure(error: unknown): PluginFailure {
  const given = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >
  return new PluginFailure({
    code: text(given['code'], 'host'),
    type: text(given['type'], 'Error'),
    message: text(given['message'], 'The plugin failed.'),
    traceback: typeof given['traceback'] === 'string' ? given['traceback'] : null,
    line: Number.isInteger(given['line']) ? (given['line'] as number) : null,
    detail: given['detail'],
  })
}

/** A failure of the gateway's side of a call. */
export const workerFailure = (code: string, message: string): PluginFailure =>
  new PluginFailure({ code, type: 'PluginFailure', message, traceback: null, line: null })
