import type { Environment } from '../config/env.ts'
import type { GatewayClient } from './gateway-client.ts'

/** Where a command reads and writes. */
export interface Terminal {
  readonly environment: Environment
  readonly isInteractive: boolean
  /** Text for whoever called, as it is. */
  write(text: string): void
  /** A remark beside the result. */
  remark(text: string): void
  readInput(): Promise<string>
  /** Aborts when the person presses Ctrl-C. */
  readonly signal: AbortSignal
}

/** What a command was called with. */
export interface CommandCall {
  readonly terminal: Terminal
  readonly words: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  readonly wantsJson: boolean
  /** Folders a gateway may keep its data in, the likeliest first. */
  readonly dataDirs: readonly string[]
  /**
   * Finds the running gateway and signs in on first use; fails with the exit code that says why
   * not.
   */
  connect(): Promise<GatewayClient>
}

/** One word of the command line. */
export interface Command {
  readonly name: string
  /** What follows the name, for the help. */
  readonly usage: string
  readonly summary: string
  readonly options?: Readonly<Record<string, { type: 'string' | 'boolean'; short?: string }>>
  /** Answers the exit code; nothing means 0. */
  run(call: CommandCall): Promise<number | void>
}

/** The result for a script, or the same in words. */
export function print({ terminal, wantsJson }: CommandCall, value: unknown, text: string): void {
  terminal.write(wantsJson ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`)
}
