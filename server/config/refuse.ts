import { StartError } from './start-error.ts'

/** Ends the start over a variable: its value, and what is allowed instead. */
export function refuse(name: string, value: string, allowed: string): never {
  throw new StartError(`${name}=${JSON.stringify(value)} is not possible. Allowed: ${allowed}.`, {
    exitCode: 2,
  })
}
