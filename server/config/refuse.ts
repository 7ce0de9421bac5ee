import { StartError } from './start-error.ts'

/** Aborts the start because of a variable: reports its value and the allowed ones. */
export function refuse(name: string, value: string, allowed: string): never {
  throw new StartError(`${name}=${JSON.stringify(value)} is not possible. Allowed: ${allowed}.`, {
    exitCode: 2,
  })
}
