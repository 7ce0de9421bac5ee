import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { pluginPython } from '../../testing/plugin-python.ts'
import { findDescendants } from './descendants.ts'

/** Has one child, and threads that come and go without end. */
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

test.skipIf(pluginPython === null || process.platform !== 'linux')('threads that end meanwhile hide no process', async () => {
  const program = spawn(pluginPython!, ['-I', '-c', RESTLESS], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(program.stdout as Readable, 'data')) as [Buffer]
  const child = Number(line.toString())
  onTestFinished(() => {
    for (const pid of [child, program.pid!]) process.kill(pid, 'SIGKILL')
  })
  const found = Array.from({ length: 2000 }, () => findDescendants(program.pid!, 10).map(({ pid }) => pid))
  expect(found.filter((pids) => pids.length !== 1 || pids[0] !== child)).toEqual([])
})
