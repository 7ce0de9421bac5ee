import { spawn } from 'node:child_process'
import type { Environment } from '../../config/env.ts'
import { canGuardByNode, guardByNode } from './node-guard.ts'

const LONGEST_LINE = 300
/** Time limit for a program to exit before it is killed. */
const END_MILLISECONDS = 8000
const isWindows = process.platform === 'win32'

/**
 * Stops the program when the pipe to the gateway closes, so that it does not outlive a killed
 * gateway. The program itself gets no input.
 */
const GUARD = `
exec 3<&0 4>&2 2>/dev/null
"$@" </dev/null 2>&4 3<&- 4>&- &
exec 4>&-
program=$!
trap 'kill -TERM $program' TERM INT HUP
(
  PATH=/usr/bin:/bin
  while read -r line; do :; done <&3
  kill -TERM $program
  sleep 10
  kill -KILL $program
) >/dev/null &
watcher=$!
while :; do
  wait $program
  code=$?
  kill -0 $program || break
done
kill $watcher
exit $code
`

/** Variables of the gateway's environment passed to a program; no keys are among them. */
const HANDED_ON =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERPROFILE|USERNAME|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES(\(X86\))?|(HTTPS?|NO|ALL)_PROXY|SSL_CERT_\w+|(OLLAMA|LMS|LLAMA|GGML|CUDA|NVIDIA|HIP|HSA|ROCR|VK|ONEAPI)_\w+)$/i

export const toProgramEnvironment = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && HANDED_ON.test(pair[0]),
    ),
  )

export interface ProgramCall {
  readonly file: string
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

export interface RunningProgram {
  /** Returns the last line it printed. */
  lastLine(): string
  /** Resolves with the exit code, or null if a signal ended it or it could not be started. */
  readonly ended: Promise<number | null>
  stop(): Promise<void>
}

/** Returns the command, wrapped so that the program ends with the gateway. */
function toCommand(call: ProgramCall): readonly [string, readonly string[]] {
  if (!isWindows) return ['/bin/sh', ['-c', GUARD, 'sh', call.file, ...call.arguments]]
  // The packaged app stops its programs when it ends, but has no Node to guard them.
  return canGuardByNode() ? guardByNode(call.file, call.arguments) : [call.file, call.arguments]
}

/** Starts a program in a separate process group. */
export function runProgram(call: ProgramCall): RunningProgram {
  const [command, words] = toCommand(call)
  const child = spawn(command, [...words], {
    env: { ...call.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: !isWindows,
    windowsHide: true,
  })
  let last = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('error', () => undefined)
    stream.setEncoding('utf8').on('data', (text: string) => {
      const line = text.split(/\r?\n/).findLast((part) => part.trim() !== '')
      if (line !== undefined) last = line.trim().slice(0, LONGEST_LINE)
    })
  }
  child.stdin.on('error', () => undefined)
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      last = error.message
      resolve(null)
    })
    child.once('exit', (code) => {
      for (const stream of child.stdio) stream?.destroy()
      resolve(code)
    })
  })
  const endHard = (): void => {
    try {
      if (!isWindows && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The process group no longer exists.
    }
    child.kill('SIGKILL')
  }
  return {
    lastLine: () => last,
    ended,
    async stop() {
      const timer = setTimeout(endHard, END_MILLISECONDS)
      // Windows has no graceful termination signal: a signalled process ends at once, and the guard
      // would end before its program.
      if (isWindows && canGuardByNode()) child.stdin.end()
      else child.kill('SIGTERM')
      await ended
      clearTimeout(timer)
    },
  }
}
