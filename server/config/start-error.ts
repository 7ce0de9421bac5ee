/** Reason why a start failed, so that the desktop app can offer the right choice. */
export type StartFailure = 'locked' | 'damaged' | 'read-only' | 'newer-schema' | 'other'

export interface StartErrorOptions {
  readonly reason?: StartFailure
  readonly exitCode?: number
  readonly cause?: unknown
}

/** The gateway cannot start; `message` describes the fault and what the user can do about it. */
export class StartError extends Error {
  readonly reason: StartFailure
  readonly exitCode: number

  constructor(message: string, options: StartErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'StartError'
    this.reason = options.reason ?? 'other'
    this.exitCode = options.exitCode ?? 1
  }
}
