/** Exit codes that scripts can distinguish. */
export const EXIT = Object.freeze({ ok: 0, failed: 1, usage: 2, notRunning: 3, notPermitted: 4 })

/** Error of a command that cannot be carried out; `message` says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}
