import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { endDescendants } from './descendants.ts'

/**
 * A Python program and its working folder; it gets the given environment and nothing of the
 * gateway's.
 */
export interface ProcessOptions {
  readonly command: string
  readonly arguments: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** A worker's process with the two pipes of the protocol. */
export interface WorkerProcess {
  readonly pid: number | undefined
  readonly input: Writable
  readonly output: Readable
  /** Adds a listener for the output of C code and child processes. */
  onPrinted(listener: (text: string) => void): void
  /** Called once, also if it could not be started. */
  onExit(listener: (reason: string) => void): void
  /** Ends the worker and all processes started in it by plugins. */
  kill(): void
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  // Also ends processes that left the group.
  if (child.exitCode === null && child.signalCode === null) endDescendants(child.pid)
  try {
    // The worker makes itself the head of its own process group.
    if (process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has not done so yet, or has ended.
  }
  child.kill('SIGKILL')
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
}

/** Starts a worker (PROTOCOL.md, Starting a worker). */
export function startWorkerProcess(options: ProcessOptions): WorkerProcess {
  const child = spawn(options.command, [...options.arguments], {
    cwd: options.folder,
    env: { ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const [, printed, complaints, input, output] = child.stdio as [
    null,
    Readable,
    Readable,
    Writable,
    Readable,
  ]
  // A worker that has ended closes its pipes; its exit reports that.
  for (const stream of [printed, complaints, input, output]) stream.on('error', () => undefined)
  return {
    pid: child.pid,
    input,
    output,
    onPrinted(listener) {
      for (const stream of [printed, complaints]) stream.setEncoding('utf8').on('data', listener)
    },
    onExit(listener) {
      let isOver = false
      const end = (reason: string): void => {
        if (isOver) return
        isOver = true
        killGroup(child)
        listener(reason)
      }
      child.once('error', (error) => end(error.message))
      child.once('exit', (code, signal) => end(describeExit(code, signal)))
    },
    kill: () => killGroup(child),
  }
}

/**
 * Runs a program to its end, reading it line by line; resolves with its exit code. Aborting ends
 * it.
 */
export function runProgram(
  options: ProcessOptions,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(options.command, [...options.arguments], {
      cwd: options.folder,
      env: { ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    const abort = (): void => killGroup(child)
    signal.addEventListener('abort', abort, { once: true })
    for (const stream of [child.stdout, child.stderr]) {
      let rest = ''
      stream.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split(/\r?\n/)
        rest = lines.pop()!.slice(-10_000)
        for (const line of lines) onLine(line)
      })
      stream.on('end', () => rest !== '' && onLine(rest))
    }
    child.once('error', reject)
    child.once('close', (code) => {
      signal.removeEventListener('abort', abort)
      resolve(code ?? -1)
    })
  })
}
