import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  rmdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ModelDownload } from '#contract/engine.ts'
import { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { startModelHub, type ModelHub } from '../../testing/start-model-hub.ts'
import { startGatewayProcess, type GatewayProcess } from '../../testing/start-process.ts'
import { createTinyModel } from '../../testing/write-tiny-model.ts'
import { ModelLibrary } from '../library/model-library.ts'
import { Downloads } from './downloads.ts'

const MODEL = createTinyModel()
const FILE = 'Hub-Tiny-Q8_0.gguf'
const NEVER = new AbortController().signal

let hub: ModelHub
beforeEach(async () => {
  hub = await startModelHub(MODEL)
})
afterEach(() => hub.close())

describe('a gateway killed in the middle of a download', () => {
  let dataDir: string
  let gateway: GatewayProcess
  let token = ''

  async function start(): Promise<void> {
    gateway = await startGatewayProcess({
      DATA_DIR: dataDir,
      ENABLE_BUILT_IN_RUNTIME: 'true',
      MODEL_MIRRORS: hub.url,
    })
  }

  async function call<Reply>(method: string, target: string, body?: unknown): Promise<Reply> {
    const reply = await fetch(`${gateway.url}${target}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: body === undefined ? null : JSON.stringify(body),
    })
    expect(reply.status).toBe(200)
    return (await reply.json()) as Reply
  }

  const find = async (): Promise<ModelDownload | undefined> =>
    (await call<{ downloads: ModelDownload[] }>('GET', '/api/v1/engine')).downloads[0]
  const partOf = (id: string): string => path.join(dataDir, 'model-downloads', `${id}.part`)

  /** Starts a download, and kills the gateway when it has a part of the file. */
  async function killAmidDownload(): Promise<string> {
    hub.pace = 300_000
    const { id } = await call<ModelDownload>('POST', '/api/v1/engine/downloads', {
      source: hub.repository,
    })
    await vi.waitUntil(
      () => (statSync(partOf(id), { throwIfNoEntry: false })?.size ?? 0) > 60_000,
      {
        timeout: 20_000,
      },
    )
    await gateway.kill()
    hub.pace = null
    await start()
    return id
  }

  async function expectModel(): Promise<void> {
    const file = path.join(dataDir, 'models', FILE)
    await vi.waitUntil(() => statSync(file, { throwIfNoEntry: false })?.isFile(), {
      timeout: 20_000,
    })
    expect(readFileSync(file).equals(MODEL)).toBe(true)
    await vi.waitUntil(() => readdirSync(path.join(dataDir, 'model-downloads')).length === 0)
  }

  beforeEach(async () => {
    dataDir = createTemporaryFolder()
    await start()
    const person = { name: 'Admin', email: 'admin@example.com', password: 'a long password' }
    token = (await call<{ token: string }>('POST', '/api/v1/auths/signup', person)).token
  }, 60_000)
  afterEach(() => gateway.kill())

  it('continues after the next start with the byte that is missing', async () => {
    const id = await killAmidDownload()
    const { size } = statSync(partOf(id))
    expect(await find()).toMatchObject({ id, status: 'paused', completed: size })
    await call('POST', `/api/v1/engine/downloads/${id}/resume`)
    await expectModel()
    expect(hub.ranges).toEqual([null, `bytes=${size}-`])
  }, 60_000)

  it('takes the whole file anew when its first part is damaged', async () => {
    const id = await killAmidDownload()
    writeFileSync(partOf(id), Buffer.alloc(1000), { flag: 'r+' })
    await call('POST', `/api/v1/engine/downloads/${id}/resume`)
    await expectModel()
    expect(hub.ranges.at(-1)).toBeNull()
  }, 60_000)

  it('takes the whole file when nothing of it is left', async () => {
    const id = await killAmidDownload()
    rmSync(partOf(id))
    await call('POST', `/api/v1/engine/downloads/${id}/resume`)
    await expectModel()
  }, 60_000)
})

/** Only root may mount; otherwise these tests are skipped. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(path.join(tmpdir(), 'mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}

describe.runIf(canMount())('a disk that becomes full', () => {
  let folder: string
  let downloads: Downloads
  beforeEach(() => {
    folder = createTemporaryFolder()
    downloads = new Downloads({
      library: new ModelLibrary(path.join(folder, 'models'), () => Promise.resolve([])),
      folder: path.join(folder, 'downloads'),
      fetch: new GuardedFetch(() => ({
        allowedHosts: [new URL(hub.url).host],
        allowLocal: false,
        offline: false,
        maximumBytes: 1_000_000,
        timeoutMilliseconds: 5000,
      })),
      mirrors: () => [hub.url],
      spareBytes: 0,
    })
  })

  const find = async (): Promise<ModelDownload | undefined> => (await downloads.list())[0]
  const readModel = (): Buffer => readFileSync(path.join(folder, 'models', FILE))

  function mount(name: string, size: string): string {
    const disk = path.join(folder, name)
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
    onTestFinished(() => void execFileSync('umount', ['-l', disk]))
    return disk
  }

  it('in the middle of a download ends it with a sentence, keeps what is there, and lets it continue with space', async () => {
    const disk = mount('downloads', '4m')
    hub.pace = 300_000
    const { id } = await downloads.start(hub.repository, NEVER)
    await vi.waitUntil(async () => ((await find())?.completed ?? 0) > 60_000, { timeout: 10_000 })
    const filler = path.join(disk, 'filler')
    expect(() => writeFileSync(filler, Buffer.alloc(8_000_000))).toThrow('ENOSPC')
    // One page is left, so that the disk takes a part of what is written.
    truncateSync(filler, statSync(filler).size - 4096)
    await vi.waitUntil(async () => (await find())?.status === 'failed', { timeout: 10_000 })
    expect((await find())!.error).toBe(
      'The disk became full during the download. Free some space, then continue.',
    )
    const part = readFileSync(path.join(disk, `${id}.part`))
    expect(part.length).toBeGreaterThan(60_000)
    expect(part.equals(MODEL.subarray(0, part.length))).toBe(true)

    rmSync(filler)
    hub.pace = null
    await downloads.resume(id)
    await vi.waitUntil(async () => (await find()) === undefined, { timeout: 10_000 })
    expect(readModel().equals(MODEL)).toBe(true)
    expect(hub.ranges.at(-1)).toBe(`bytes=${part.length}-`)
    await downloads.close()
  }, 30_000)

  it('when a finished file is moved there says so, and takes the file when there is space', async () => {
    const disk = mount('models', '200k')
    const { id } = await downloads.start(hub.repository, NEVER)
    await vi.waitUntil(async () => (await find())?.status === 'failed', { timeout: 10_000 })
    expect((await find())!.error).toContain('The disk is full')
    expect(readdirSync(disk)).toEqual([])
    execFileSync('mount', ['-o', 'remount,size=4m', disk])
    await downloads.resume(id)
    await vi.waitUntil(async () => (await find()) === undefined, { timeout: 10_000 })
    expect(readModel().equals(MODEL)).toBe(true)
    expect(hub.ranges).toEqual([null])
    await downloads.close()
  }, 30_000)
})
