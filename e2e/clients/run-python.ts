import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

interface Running {
  /** Name of the environment it is installed in, such as `llm`. */
  readonly place: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly cwd?: string
}

/** Runs a program of one of the Python environments, or its Python itself, to its end. */
export async function runPython(
  program: string,
  { place, args, env = {}, input = '', cwd }: Running,
): Promise<Ran> {
  const bin = process.platform === 'win32' ? 'Scripts' : 'bin'
  const child = spawn(path.join(process.env['CLIENTS_FOLDER']!, place, bin, program), args, {
    cwd,
    env: { ...process.env, ...env },
  })
  child.stdin.end(input)
  const [out, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: child.exitCode, out, errors }
}
