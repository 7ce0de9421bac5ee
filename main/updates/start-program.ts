import { spawn } from 'node:child_process'
import type { Logger } from '../profile/log.ts'

/** Starts a program that keeps running after this one has exited. */
export function startProgram(program: string, options: readonly string[], log: Logger): void {
  const child = spawn(program, [...options], { detached: true, stdio: 'ignore' })
  child.on('error', (error) => log.error({ error, program }, 'the program could not be started'))
  child.unref()
}
