/** What a script can tell apart by the exit code. */
export const EXIT = Object.freeze({ ok: 0, failed: 1, usage: 2, notRunning: 3, notPermitted: 4 })

/** A command cannot do what it was asked; `message` says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}
