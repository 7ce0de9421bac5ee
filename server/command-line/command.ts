import type { Environment } from '../config/env.ts'
import type { GatewayClient } from './gateway-client.ts'

/** Input and output of a command. */
export interface Terminal {
  readonly environment: Environment
  readonly isInteractive: boolean
  /** Writes text to the standard output unchanged. */
  write(text: string): void
  /** Writes a remark that is not part of the result. */
  remark(text: string): void
  readInput(): Promise<string>
  /** Aborts when the user presses Ctrl-C. */
  readonly signal: AbortSignal
}

/** Parameters of a command call. */
export interface CommandCall {
  readonly terminal: Terminal
  readonly words: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly wantsJson: boolean
  /** Candidate data folders of a gateway, most likely first. */
  readonly dataDirs: readonly string[]
  /**
   * Finds the running gateway and signs in on first use; fails with the exit code of the reason.
   */
  connect(): Promise<GatewayClient>
}

/** One command of the command line. */
export interface Command {
  readonly name: string
  /** Arguments after the name, for the help. */
  readonly usage: string
  readonly summary: string
  readonly options?: Readonly<Record<string, { type: 'string' | 'boolean'; short?: string }>>
  /** Resolves with the exit code; undefined means 0. */
  run(call: CommandCall): Promise<number | void>
}

/** Prints the result as JSON for scripts, or else as text. */
export function print({ terminal, wantsJson }: CommandCall, value: unknown, text: string): void {
  terminal.write(wantsJson ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`)
}
