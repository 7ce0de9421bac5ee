import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A process of a benchmark that replies to jobs over its channel. */
export interface Spawned {
  readonly pid: number
  /** Message of the process when it was ready, for example its port. */
  readonly ready: { port: number }
  ask<Answer>(job: unknown): Promise<Answer>
  stop(): Promise<void>
}

const canPin =
  process.platform === 'linux' && spawnSync('taskset', ['-c', '0', 'true']).status === 0
/** Core of the measured process, and core of everything that drives it. */
export const PROXY_CORE = 0
export const DRIVER_CORE = 1

function launch(file: string, core: number, args: readonly string[]): ChildProcess {
  const script = path.join(import.meta.dirname, file)
  if (!canPin) return fork(script, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return spawn('taskset', ['-c', String(core), process.execPath, script, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** Starts a script of this folder on a core and waits until it reports that it is ready. */
export async function startScript(
  file: string,
  core: number,
  args: readonly string[] = [],
): Promise<Spawned> {
  const child = launch(file, core, args)
  const [ready] = (await once(child, 'message')) as [{ port: number }]
  return {
    pid: child.pid!,
    ready,
    async ask<Answer>(job: unknown): Promise<Answer> {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const fail = (code: unknown) =>
        reject(new Error(`${file} ended with ${String(code)} before it answered`))
      child.once('exit', fail)
      child.once('message', resolve)
      child.send(job as object)
      return promise.finally(() => child.off('exit', fail))
    },
    stop: () => stopProcess(child),
  }
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
  await exited
  clearTimeout(timer)
}

/** Wraps a command so that it runs on one core if the system can pin processes. */
export const pinned = (
  core: number,
  command: string,
  args: readonly string[],
): [string, string[]] =>
  canPin ? ['taskset', ['-c', String(core), command, ...args]] : [command, [...args]]

const TICKS_PER_SECOND = 100

/**
 * Returns the seconds of processor time a process has used; null if the system does not report it.
 */
export function cpuSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return null
  }
}

/** Returns the resident memory of a process in kB; null if the system does not report it. */
export function residentKilobytes(pid: number): number | null {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return null
  }
}
