import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pluginPython } from '../../testing/plugin-python.ts'
import { findDescendants, watchDescendants } from './descendants.ts'

/** Has one child, and threads that start and end continuously. */
const RESTLESS = `
import subprocess, threading

child = subprocess.Popen(["sleep", "600"])
print(child.pid, flush=True)


def start_and_end():
    while True:
        threads = [threading.Thread(target=int) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


for _ in range(2):
    threading.Thread(target=start_and_end, daemon=True).start()
threading.Event().wait()
`

test.skipIf(pluginPython === null || process.platform !== 'linux')(
  'threads that end meanwhile hide no process',
  async () => {
    const program = spawn(pluginPython!, ['-I', '-c', RESTLESS], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(program.stdout as Readable, 'data')) as [Buffer]
    const child = Number(line.toString())
    onTestFinished(() => {
      for (const pid of [child, program.pid!]) process.kill(pid, 'SIGKILL')
    })
    const found = Array.from({ length: 2000 }, () =>
      findDescendants(program.pid!, 10).map(({ pid }) => pid),
    )
    expect(found.filter((pids) => pids.length !== 1 || pids[0] !== child)).toEqual([])
  },
)

/** Has one child in a session of its own. */
const LEAVING = `
import subprocess, threading

print(subprocess.Popen(["sleep", "600"], start_new_session=True).pid, flush=True)
threading.Event().wait()
`

const stateOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)![0]!

test.skipIf(pluginPython === null || process.platform !== 'linux')(
  'a look between the end of a process and the news of it forgets nothing that is to be ended',
  async () => {
    const program = spawn(pluginPython!, ['-I', '-c', LEAVING], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(program.stdout as Readable, 'data')) as [Buffer]
    const child = Number(line.toString())
    const isThere = () => {
      try {
        return stateOf(child) !== 'Z'
      } catch {
        return false
      }
    }
    onTestFinished(() => {
      if (isThere()) process.kill(child, 'SIGKILL')
    })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const watch = watchDescendants({ pid: program.pid!, most: 10, onTooMany: () => undefined })
    vi.advanceTimersByTime(500)
    program.kill('SIGKILL')
    // Without yielding to the event loop, so that no listener is notified of the end.
    while (stateOf(program.pid!) !== 'Z');
    vi.advanceTimersByTime(500)
    watch.end()
    vi.useRealTimers()
    await expect.poll(isThere).toBe(false)
  },
)
