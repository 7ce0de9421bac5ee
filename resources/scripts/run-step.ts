import { spawn, type SpawnOptions } from 'node:child_process'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')
const binaries = path.join(root, 'node_modules/.bin')

/** Returns the environment with the project's own Node and tools first in PATH. */
export const toolEnvironment = (extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${binaries}${path.delimiter}${process.env['PATH'] ?? ''}`,
  ...extra,
})

/**
 * Runs a command with its output shown; resolves with its exit code, 127 if it cannot be started.
 */
export function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: toolEnvironment(),
      ...options,
    })
    child.once('error', () => resolve(127))
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 128 : 1)))
  })
}

/** Runs a command quietly; resolves with its exit code and its output. */
export function capture(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: toolEnvironment(),
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout?.on('data', (part: Buffer) => (output += part.toString()))
    child.stderr?.on('data', (part: Buffer) => (output += part.toString()))
    child.once('error', (error) => resolve({ code: 127, output: String(error) }))
    child.once('exit', (code) => resolve({ code: code ?? 1, output }))
  })
}

/** Resolves with true if a program is found in PATH. */
export async function hasProgram(name: string): Promise<boolean> {
  return (await capture(process.platform === 'win32' ? 'where' : 'which', [name])).code === 0
}
