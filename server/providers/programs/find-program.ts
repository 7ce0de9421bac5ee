import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../../config/env.ts'
import type { KnownProgram } from './known-programs.ts'

/** Program installed on this computer. */
export interface InstalledProgram {
  readonly program: KnownProgram
  /** Executable file; null if only the app was found. */
  readonly file: string | null
}

const isWindows = process.platform === 'win32'

function isThere(file: string): boolean {
  try {
    accessSync(file, constants.F_OK)
    return true
  } catch {
    return false
  }
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/**
 * Returns the folders of the search path; relative ones would depend on where the gateway was
 * started.
 */
const readPath = (environment: Environment): string[] =>
  (environment['PATH'] ?? environment['Path'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))

/**
 * Searches for a program on the search path and in the folders of its installer; returns null if it
 * is not found.
 */
export function findProgram(
  program: KnownProgram,
  environment: Environment,
): InstalledProgram | null {
  const files = [...readPath(environment), ...program.folders].flatMap((folder) =>
    program.commands.map((command) => path.join(folder, isWindows ? `${command}.exe` : command)),
  )
  const file = files.find(isRunnable) ?? null
  return file !== null || [...files, ...program.places].some(isThere) ? { program, file } : null
}
