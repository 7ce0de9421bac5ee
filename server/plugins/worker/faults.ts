/** A worker's description of a failed call (PROTOCOL.md, Calls). */
export interface FailureDetails {
  readonly code: string
  readonly type: string
  readonly message: string
  readonly traceback: string | null
  readonly line: number | null
  readonly detail?: unknown
}

/**
 * A failed call of a plugin: by an exception of its code, because it could not be loaded, or
 * because its worker ended.
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
 * Parses the `error` of a failure; missing fields are replaced, because workers are not trusted.
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

/** Returns a failure on the gateway's side of a call. */
export const workerFailure = (code: string, message: string): PluginFailure =>
  new PluginFailure({ code, type: 'PluginFailure', message, traceback: null, line: null })
