import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createTemporaryFolder } from './create-temporary-folder.ts'

/** True if Redis is installed on the machine. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

async function findPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Starts a real Redis on loopback that stores its data in a folder of the test. */
export async function startRedis(at?: { readonly port?: number; readonly folder: string }) {
  const folder = at?.folder ?? createTemporaryFolder()
  const port = at?.port ?? (await findPort())
  const child = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--save',
    '',
  ])
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const deadline = Date.now() + 10_000
  while (!said.includes('Ready to accept connections')) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`Redis did not start: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    /** Suspends all responses, and resumes them. */
    pause: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async close(): Promise<void> {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
