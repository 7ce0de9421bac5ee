import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, type TestContext } from 'vitest'
import { parseConfig } from '../config/parse-config.ts'
import { createLogger } from '../lib/logger.ts'
import { startLyingStore } from '../testing/start-lying-store.ts'
import { lacksObjectStore, startObjectStore } from '../testing/start-object-store.ts'
import { reachBucket } from './reach-bucket.ts'

const entry = process.env['GATEWAY_ENTRY'] ?? path.resolve(import.meta.dirname, '../index.ts')
const SECRET = 'the-secret-nobody-may-read'
const LONG = 120_000

const S3 = {
  STORAGE_PROVIDER: 's3',
  S3_BUCKET_NAME: 'uploads',
  S3_ENDPOINT_URL: 'http://127.0.0.1:9',
  S3_ACCESS_KEY_ID: 'somebody',
  S3_SECRET_ACCESS_KEY: SECRET,
}

/** Concurrent tests clean up after themselves. */
type Ending = Pick<TestContext, 'onTestFinished'>

/** Returns the path of a data folder that does not exist yet. */
function newDataFolder({ onTestFinished }: Ending): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-bucket-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'data')
}

const createConfig = (ending: Ending, environment: Record<string, string>) =>
  parseConfig({ ...S3, DATA_DIR: newDataFolder(ending), ...environment })

/**
 * Expects that the attempts fail after some time with an error message that contains all these
 * words.
 */
async function expectRefusal(
  ending: Ending,
  environment: Record<string, string>,
  ...words: string[]
): Promise<void> {
  const config = createConfig(ending, environment)
  const begun = performance.now()
  const error = await reachBucket(config, createLogger('silent')).then(
    () => null,
    (thrown: unknown) => thrown as Error,
  )
  const seconds = (performance.now() - begun) / 1000
  expect(error).toMatchObject({ name: 'StartError', exitCode: 1 })
  for (const word of ['STORAGE_PROVIDER', ...words]) expect(error!.message).toContain(word)
  expect(error!.message).not.toMatch(new RegExp(`${SECRET}|\n`))
  expect(seconds).toBeGreaterThan(18)
  expect(seconds).toBeLessThan(30)
  expect(existsSync(config.dataDir)).toBe(false)
}

async function freePort(): Promise<number> {
  const place = createServer().listen(0, '127.0.0.1')
  await once(place, 'listening')
  const { port } = place.address() as AddressInfo
  place.close()
  return port
}

describe.concurrent('a bucket that cannot be used', () => {
  test(
    'keeps a gateway from starting, with one line and exit code 1, before it makes a file',
    async (context) => {
      const dataDir = newDataFolder(context)
      const child = spawn(process.execPath, [entry], {
        env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, ...S3 },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      context.onTestFinished(() => void child.kill('SIGKILL'))
      let said = ''
      child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
      child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
      await once(child, 'close')
      expect(child.exitCode).toBe(1)
      expect(said.trim().split('\n')).toEqual([
        'STORAGE_PROVIDER=s3, S3_ENDPOINT_URL: the store at http://127.0.0.1:9 cannot be reached (ECONNREFUSED). Start it, or correct the address.',
      ])
      expect(existsSync(dataDir)).toBe(false)
    },
    LONG,
  )

  test(
    'is named by its address where nothing is there',
    (context) => expectRefusal(context, {}, 'S3_ENDPOINT_URL', 'http://127.0.0.1:9', 'Start it'),
    LONG,
  )

  test(
    'is not waited for without end where it says nothing',
    async (context) => {
      const silent = createServer(() => undefined).listen(0, '127.0.0.1')
      await once(silent, 'listening')
      context.onTestFinished(() => void silent.close())
      const { port } = silent.address() as AddressInfo
      await expectRefusal(
        context,
        { S3_ENDPOINT_URL: `http://127.0.0.1:${port}` },
        'S3_ENDPOINT_URL',
      )
    },
    LONG,
  )

  test(
    'is named where the store lets nobody do anything there',
    async (context) => {
      const lying = await startLyingStore()
      context.onTestFinished(() => lying.close())
      lying.store.conduct = 'refuses'
      const { S3_ENDPOINT_URL } = lying.environment
      await expectRefusal(context, { S3_ENDPOINT_URL }, 'S3_BUCKET_NAME', '"uploads"', 'PutObject')
    },
    LONG,
  )

  test(
    'is used once its store is there, and nothing of the try stays',
    async (context) => {
      const port = await freePort()
      const config = createConfig(context, { S3_ENDPOINT_URL: `http://127.0.0.1:${port}` })
      const reaching = reachBucket(config, createLogger('silent'))
      await sleep(4000)
      const lying = await startLyingStore(port)
      context.onTestFinished(() => lying.close())
      expect(await reaching).not.toBeNull()
      expect(lying.objects.size).toBe(0)
    },
    LONG,
  )

  test.skipIf(lacksObjectStore)(
    'is named by its key where the store does not know it',
    async (context) => {
      const store = await startObjectStore({ asksForKeys: true })
      context.onTestFinished(() => store.close())
      const { S3_ENDPOINT_URL = '' } = store.environment
      await expectRefusal(
        context,
        { S3_ENDPOINT_URL },
        'S3_ACCESS_KEY_ID',
        'S3_SECRET_ACCESS_KEY',
        'InvalidAccessKeyId',
      )
    },
    LONG,
  )

  test.skipIf(lacksObjectStore)(
    'is named where there is none of this name',
    async (context) => {
      const store = await startObjectStore()
      context.onTestFinished(() => store.close())
      const { S3_ENDPOINT_URL = '' } = store.environment
      const environment = { S3_ENDPOINT_URL, S3_BUCKET_NAME: 'elsewhere' }
      await expectRefusal(context, environment, 'S3_BUCKET_NAME', '"elsewhere"', 'Make it')
    },
    LONG,
  )
})
