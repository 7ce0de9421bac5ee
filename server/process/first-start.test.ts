import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTemporaryFolder, folderOnDisk } from '../testing/create-temporary-folder.ts'
import { startGatewayProcess } from '../testing/start-process.ts'

const entry = process.env['GATEWAY_ENTRY'] ?? path.resolve(import.meta.dirname, '../index.ts')
const KILLS = 5

/** Starts a gateway and kills it after a time, wherever its start is by then. */
async function killAfter(milliseconds: number, dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [entry], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      LLMHOST_BASE_URLS: '',
      DATA_DIR: dataDir,
    },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await sleep(milliseconds)
  child.kill('SIGKILL')
  await ended
}

it('a first start killed at any moment is completed by the next one', async () => {
  const reached = new Set<boolean>()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const dataDir = path.join(createTemporaryFolder(folderOnDisk()), 'data')
    // Before the folder exists, in the middle of the migrations, and after them.
    const wait = 40 + kill * 180
    await killAfter(wait, dataDir)
    reached.add(existsSync(path.join(dataDir, 'chat-gateway.db')))
    // A second kill meets what the first one left.
    await killAfter(wait, dataDir)
    const gateway = await startGatewayProcess({ DATA_DIR: dataDir })
    const reply = await fetch(`${gateway.url}/api/v1/auths/signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'a long password' }),
    })
    expect(reply.status).toBe(200)
    expect(await gateway.terminate()).toBe(0)
    expect(readdirSync(dataDir).filter((name) => /\.(new|part|tmp)$/.test(name))).toEqual([])
  }
  expect(reached.has(false)).toBe(true)
}, 240_000)
