import Sqlite from 'better-sqlite3'
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { folderOnDisk } from '../testing/create-temporary-folder.ts'
import { filesBelow } from '../testing/serve-files.ts'
import {
  lacksObjectStore,
  startObjectStore,
  type ObjectStore,
} from '../testing/start-object-store.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'
import { contentOf, createUploader } from '../testing/use-bucket.ts'

const CYCLES = Number(process.env['KILL_CYCLES'] ?? 4)
const UPLOADERS = 3
const SWEPT = { timeout: 20_000 }
const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

let store: ObjectStore
let dataDir: string

beforeAll(async () => {
  if (!lacksObjectStore) store = await startObjectStore()
}, 90_000)
beforeEach(() => {
  store?.hold('nothing')
  dataDir = mkdtempSync(path.join(folderOnDisk(), 'chat-gateway-bucket-'))
})
afterAll(() => store?.close())

async function start(): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess({
    DATA_DIR: dataDir,
    ENABLE_BUILT_IN_RUNTIME: 'false',
    ...store.environment,
  })
  onTestFinished(async () => {
    if (gateway.child.exitCode === null && gateway.child.signalCode === null) await gateway.kill()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return gateway
}

async function signIn(url: string, way: 'signup' | 'signin'): Promise<string> {
  const reply = await fetch(`${url}/api/v1/auths/${way}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
  return ((await reply.json()) as { token: string }).token
}

/** Returns the objects without a row, and the rows without an object. */
async function compare(): Promise<{ orphans: string[]; lost: string[] }> {
  const database = new Sqlite(path.join(dataDir, 'chat-gateway.db'), { readonly: true })
  try {
    const known = database.prepare('select id from blob').pluck().all() as string[]
    const names = (await store.names()).map((name) => name.replace('gateway/', ''))
    return {
      orphans: names.filter((name) => !known.includes(name)),
      lost: known.filter((id) => !names.includes(id)),
    }
  } finally {
    database.close()
  }
}

const NOTHING = { orphans: [], lost: [] }
const memoryOf = ({ child }: GatewayProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024

describe.skipIf(lacksObjectStore)('a gateway that is killed', () => {
  test.each(['answers', 'everything'] as const)(
    'while an upload is on its way and the line holds back %s leaves neither a row nor an object',
    async (held) => {
      const gateway = await start()
      const uploader = createUploader(gateway.url, await signIn(gateway.url, 'signup'))
      const kept = await uploader.keep('kept.bin', new Uint8Array(randomBytes(10_000)))
      store.calls.length = 0
      store.hold(held)
      const upload = uploader.upload('lost.bin', new Uint8Array(randomBytes(2_000_000)))
      upload.catch(() => undefined)
      await expect.poll(() => store.calls.some((call) => call.startsWith('PUT ')), SWEPT).toBe(true)
      const objects = held === 'answers' ? 2 : 1
      await expect.poll(() => store.names(), SWEPT).toHaveLength(objects)
      await gateway.kill()
      await expect(upload).rejects.toThrow(TypeError)
      store.hold('nothing')
      const again = await start()
      await expect.poll(compare, SWEPT).toEqual(NOTHING)
      expect(await store.names()).toHaveLength(1)
      await expect.poll(() => filesBelow(path.join(dataDir, 'uploads')), SWEPT).toEqual([])
      const reader = createUploader(again.url, await signIn(again.url, 'signin'))
      expect((await reader.call(contentOf(kept))).status).toBe(200)
      await reader.call(`/api/v1/files/${kept}`, { method: 'DELETE' })
      await expect.poll(() => store.names(), SWEPT).toEqual([])
    },
    90_000,
  )

  test(
    'at any moment loses nothing it acknowledged and leaves nothing without a row',
    async () => {
      const acknowledged = new Map<string, string>()
      for (let cycle = 0; cycle < CYCLES; cycle += 1) {
        const gateway = await start()
        const token = await signIn(gateway.url, cycle === 0 ? 'signup' : 'signin')
        const uploader = createUploader(gateway.url, token)
        const work = async (): Promise<void> => {
          for (;;) {
            const text = `${randomUUID()} `.repeat(randomInt(1, 3000))
            const reply = await uploader.upload(`${randomUUID()}.txt`, text)
            expect(reply.status).toBe(200)
            const { id } = (await reply.json()) as { id: string }
            acknowledged.set(id, createHash('sha256').update(text).digest('hex'))
            if (randomInt(3) > 0) continue
            acknowledged.delete(id)
            await uploader.call(`/api/v1/files/${id}`, { method: 'DELETE' })
          }
        }
        const working = Promise.allSettled(Array.from({ length: UPLOADERS }, work))
        await sleep(randomInt(300, 1500))
        await gateway.kill()
        for (const { reason } of (await working) as PromiseRejectedResult[])
          expect(reason).toBeInstanceOf(TypeError)
      }
      const last = await start()
      const reader = createUploader(last.url, await signIn(last.url, 'signin'))
      await expect.poll(compare, SWEPT).toEqual(NOTHING)
      for (const [id, hash] of acknowledged) {
        const bytes = await (await reader.call(contentOf(id))).arrayBuffer()
        expect(createHash('sha256').update(Buffer.from(bytes)).digest('hex')).toBe(hash)
      }
      await reader.call('/api/v1/files/all', { method: 'DELETE' })
      await expect.poll(() => store.names(), SWEPT).toEqual([])
    },
    CYCLES * 60_000,
  )
})

describe.skipIf(lacksObjectStore || process.platform !== 'linux')('a large upload', () => {
  test('and its download take little memory', async () => {
    const gateway = await start()
    const uploader = createUploader(gateway.url, await signIn(gateway.url, 'signup'))
    await uploader.keep('first.bin', new Uint8Array(randomBytes(1_000_000)))
    const before = memoryOf(gateway)
    let most = before
    const watch = setInterval(() => (most = Math.max(most, memoryOf(gateway))), 20)
    const bytes = new Uint8Array(100_000_000)
    for (let at = 0; at < bytes.length; at += 1_000_000) bytes.set(randomBytes(1_000_000), at)
    const id = await uploader.keep('large.bin', bytes)
    const afterUpload = most
    const sent = createHash('sha256').update(bytes).digest('hex')
    const hash = createHash('sha256')
    const reply = await uploader.call(contentOf(id))
    for await (const piece of reply.body!) hash.update(piece as Uint8Array)
    clearInterval(watch)
    expect(hash.digest('hex')).toBe(sent)
    expect(afterUpload - before).toBeLessThan(80)
    expect(most - before).toBeLessThan(80)
    await uploader.call('/api/v1/files/all', { method: 'DELETE' })
    await expect.poll(() => store.names(), SWEPT).toEqual([])
  }, 180_000)
})
