import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CudaOffer, EngineState, ModelDownload } from '#contract/engine.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import {
  packArchive,
  startPackageRegistry,
  type ArchiveEntry,
  type PackageRegistry,
} from '../../testing/start-package-registry.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import { createTinyModel } from '../../testing/write-tiny-model.ts'
import { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { Downloads } from '../downloads/downloads.ts'
import { listCudaPackages, type CudaPackage } from './cuda-packages.ts'
import { CudaSupport } from './cuda-support.ts'

const packages = listCudaPackages()
const NEVER = new AbortController().signal

/** An entry file that names its folder, as those of the library's packages do, and leaves a mark. */
const ENTRY = `
import { readFileSync, writeFileSync } from 'node:fs'
const root = new URL('..', import.meta.url)
writeFileSync(new URL('imported', root), '')
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
export const getBinsDir = () => ({ binsDir: root.pathname + 'bins', packageVersion: version })
`

const entriesOf = ({ name, version }: CudaPackage, ...more: ArchiveEntry[]): ArchiveEntry[] => [
  { path: 'package/package.json', content: JSON.stringify({ name, version, type: 'module' }) },
  { path: 'package/dist/index.js', content: ENTRY },
  // Too varied to be packed into a single chunk.
  {
    path: 'package/bins/none.so',
    content: Array.from({ length: 60_000 }, () => Math.random()).join(),
  },
  ...more,
]

let registry: PackageRegistry
let server: TestServer
let admin: string
let driver: string
/** What the test has opened. */
let open: { close(): Promise<void> }[] = []

async function startRegistry(
  pack = (each: CudaPackage): Buffer => packArchive(entriesOf(each)),
): Promise<PackageRegistry> {
  registry = await startPackageRegistry(packages.map((each) => ({ ...each, archive: pack(each) })))
  open.push(registry)
  return registry
}

async function startServer(environment: Record<string, string> = {}, dataDir?: string) {
  server = await startTestServer({
    environment: {
      ENABLE_BUILT_IN_RUNTIME: 'true',
      CUDA_PACKAGE_REGISTRY: registry.url,
      WEB_FETCH_ALLOWED_HOSTS: '127.0.0.1',
      ...environment,
    },
    config: { nvidiaDriver: driver },
    ...(dataDir !== undefined && { dataDir }),
  })
  open.unshift(server)
  admin = dataDir === undefined ? await server.signUp('Admin') : admin
}

/** Opens the support without a gateway, so that silence is noticed sooner. */
function openSupport(served: PackageRegistry, restartEngine: () => void): CudaSupport {
  const fetch = new GuardedFetch(() => ({
    allowedHosts: ['127.0.0.1'],
    allowLocal: false,
    offline: false,
    maximumBytes: 1_000_000,
    timeoutMilliseconds: 5000,
  }))
  const registries = (): string[] => [served.url]
  return new CudaSupport({
    folder: createTemporaryFolder(),
    packages,
    hasCard: () => Promise.resolve(true),
    fetch,
    registries,
    openDownloads: (parts) =>
      new Downloads({
        fetch,
        mirrors: registries,
        stallMilliseconds: 400,
        pauseMilliseconds: 5,
        ...parts,
      }),
    restartEngine,
    isUsed: () => null,
  })
}

const call = (method: string, target: string): Promise<Response> =>
  server.call(method, `/api/v1/engine${target}`, { token: admin })

async function stateOf(): Promise<EngineState['cuda']> {
  return ((await (await call('GET', '')).json()) as EngineState).cuda
}
const isInstalled = async (): Promise<boolean> => (await stateOf())!.installed
const untilInstalled = (): Promise<unknown> => vi.waitUntil(isInstalled, { timeout: 20_000 })

async function start(): Promise<void> {
  expect((await call('POST', '/cuda/downloads')).status).toBe(200)
}

async function untilFailed(): Promise<readonly ModelDownload[]> {
  await vi.waitUntil(
    async () => (await stateOf())!.downloads.every(({ status }) => status === 'failed'),
    { timeout: 20_000 },
  )
  return (await stateOf())!.downloads
}

const folderOf = (name: string): string => path.join(server.dataDir, 'engine-cuda', name)
const contentOf = (name: string): string[] => {
  const folder = folderOf(name)
  return existsSync(folder) ? readdirSync(folder) : []
}

it('has no packages for other systems and processors', () => {
  expect(listCudaPackages('darwin', 'arm64')).toEqual([])
  expect(listCudaPackages('linux', 'arm64')).toEqual([])
  expect(listCudaPackages('win32', 'x64').map(({ name }) => name)).toEqual([
    '@node-llama-cpp/win-x64-cuda',
    '@node-llama-cpp/win-x64-cuda-ext',
  ])
})

describe.skipIf(packages.length === 0)('on a system with packages', () => {
  beforeEach(() => {
    driver = path.join(createTemporaryFolder(), 'version')
    writeFileSync(driver, 'NVRM version')
  })
  afterEach(async () => {
    for (const each of open) await each.close()
    open = []
  })

  it('offers nothing where there is no card, and asks no registry', async () => {
    await startRegistry()
    driver = '/nowhere'
    await startServer()
    expect(await stateOf()).toBeNull()
    expect((await call('GET', '/cuda/offer')).status).toBe(409)
    expect((await call('POST', '/cuda/downloads')).status).toBe(409)
    expect(registry.asked).toEqual([])
  })

  it('says the sizes first, downloads when told to, and runs models without a usable card', async () => {
    await startRegistry()
    await startServer()
    expect(await stateOf()).toEqual({
      installed: false,
      disk_bytes: 0,
      downloads: [],
      is_used: null,
    })
    expect(registry.asked).toEqual([])
    const offer = (await (await call('GET', '/cuda/offer')).json()) as CudaOffer
    const lengths = [...registry.hubs.values()].map(({ file }) => file.length)
    expect(offer).toEqual({
      download_bytes: lengths[0]! + lengths[1]!,
      installed_bytes: 2_000_000,
    })
    expect(contentOf('downloads')).toEqual([])

    await start()
    await untilInstalled()
    expect((await stateOf())!.disk_bytes).toBeGreaterThan(1_000_000)
    expect(contentOf('packages').toSorted()).toEqual(
      packages.map(({ fileName }) => fileName.replace('.tgz', '')).toSorted(),
    )
    await vi.waitUntil(() => contentOf('downloads').length === 0)
    expect((await call('POST', '/cuda/downloads')).status).toBe(409)

    const models = path.join(server.dataDir, 'models')
    mkdirSync(models, { recursive: true })
    writeFileSync(path.join(models, 'tiny.gguf'), createTinyModel())
    const generate = (): Promise<Response> =>
      server.call('POST', '/llmhost/api/generate', {
        token: admin,
        body: { model: 'tiny', prompt: 'Hello', stream: false, options: { num_predict: 4 } },
      })
    expect((await generate()).status).toBe(200)
    for (const folder of contentOf('packages'))
      expect(existsSync(path.join(folderOf('packages'), folder, 'imported'))).toBe(true)
    expect((await stateOf())!.is_used).toBe(false)

    const { pid } = server.context.engine.host
    expect((await call('DELETE', '/cuda')).status).toBe(200)
    expect(contentOf('packages')).toEqual([])
    expect(await stateOf()).toEqual({
      installed: false,
      disk_bytes: 0,
      downloads: [],
      is_used: null,
    })
    expect((await generate()).status).toBe(200)
    expect(server.context.engine.host.pid).not.toBe(pid)
    expect((await stateOf())!.is_used).toBeNull()
  }, 120_000)

  it.each([
    ['is cut off', { kind: 'cut', after: 200_000 }],
    ['says nothing any more', { kind: 'stall', after: 200_000 }],
  ] as const)(
    'goes on by range after a server that %s',
    async (_, fault) => {
      const served = await startRegistry()
      const hub = served.hubs.get(packages[0]!.name)!
      hub.faults.push(fault)
      const restart = vi.fn()
      const support = openSupport(served, restart)
      await support.download(NEVER)
      await vi.waitUntil(() => restart.mock.calls.length > 0, { timeout: 20_000 })
      expect(hub.ranges).toEqual([null, expect.stringMatching(/^bytes=[1-9]\d+-$/)])
      expect(Object.keys(support.entries())).toEqual(packages.map(({ name }) => name))
    },
    30_000,
  )

  it('goes on after a restart of the gateway, with the checksum it was promised', async () => {
    await startRegistry()
    const hubs = [...registry.hubs.values()]
    for (const hub of hubs) hub.pace = 100_000
    await startServer()
    await start()
    await vi.waitUntil(async () =>
      (await stateOf())!.downloads.every(({ completed }) => completed > 20_000),
    )
    await server.close({ keep: true })
    open = open.filter((each) => each !== server)
    hubs[1]!.file.fill(0, hubs[1]!.file.length - 1000)
    for (const hub of hubs) hub.pace = null
    await startServer({}, server.dataDir)
    const resting = (await stateOf())!.downloads
    expect(resting.map(({ status }) => status)).toEqual(['paused', 'paused'])
    for (const { id } of resting)
      expect((await call('POST', `/downloads/${id}/resume`)).status).toBe(200)
    const [failed, ...others] = await untilFailed()
    expect(others).toEqual([])
    expect(failed!.error).toContain('its checksum differs')
    expect(contentOf('packages')).toHaveLength(1)
    expect(await isInstalled()).toBe(false)
    expect((await stateOf())!.disk_bytes).toBeGreaterThan(500_000)
    expect((await call('DELETE', `/downloads/${failed!.id}`)).status).toBe(200)
    expect(contentOf('downloads')).toEqual([])
    // What is there stays until it is deleted, also when the card is gone.
    rmSync(driver)
    expect(await stateOf()).not.toBeNull()
    expect((await call('DELETE', '/cuda')).status).toBe(200)
    expect(await stateOf()).toBeNull()
  }, 60_000)

  it('pauses and cancels as downloads of models do, and ends downloads that are removed', async () => {
    await startRegistry()
    for (const hub of registry.hubs.values()) hub.pace = 100_000
    await startServer()
    await start()
    const [first, second] = (await stateOf())!.downloads
    expect((await call('POST', `/downloads/${first!.id}/pause`)).status).toBe(200)
    expect((await stateOf())!.downloads.map(({ status }) => status)).toEqual(['paused', 'running'])
    expect((await call('DELETE', `/downloads/${second!.id}`)).status).toBe(200)
    expect((await stateOf())!.downloads.map(({ id }) => id)).toEqual([first!.id])
    expect((await call('DELETE', '/cuda')).status).toBe(200)
    expect((await stateOf())!.downloads).toEqual([])
    expect(contentOf('downloads')).toEqual([])
  }, 30_000)

  it('takes in nothing whose checksum differs from that of the registry', async () => {
    await startRegistry()
    registry.integrity = `sha512-${Buffer.alloc(64).toString('base64')}`
    await startServer()
    await start()
    for (const { error } of await untilFailed()) expect(error).toContain('its checksum differs')
    expect(contentOf('packages')).toEqual([])
    expect(contentOf('downloads').filter((name) => name.endsWith('.part'))).toEqual([])
  }, 30_000)

  it('downloads nothing without a checksum of the registry', async () => {
    await startRegistry()
    registry.integrity = 'sha1-AAAA sha256-AAAA'
    await startServer()
    const begun = await call('POST', '/cuda/downloads')
    expect(begun.status).toBe(502)
    expect(await begun.text()).toContain('no SHA-512 checksum')
    expect((await stateOf())!.downloads).toEqual([])
    for (const hub of registry.hubs.values()) expect(hub.ranges).toEqual([])
  })

  it.each<[string, (each: CudaPackage) => Buffer]>([
    [
      'a path that leads out of the folder',
      (each) => packArchive(entriesOf(each, { path: 'package/../../../escaped' })),
    ],
    [
      'a path from the root',
      (each) => packArchive(entriesOf(each, { path: '/tmp/chat-gateway-escaped' })),
    ],
    [
      'a symbolic link',
      (each) =>
        packArchive(
          entriesOf(
            each,
            { path: 'package/out', type: 'SymbolicLink', linksTo: '../../..' },
            { path: 'package/out/escaped', content: 'x' },
          ),
        ),
    ],
    [
      'a link inside of the package',
      (each) =>
        packArchive(
          entriesOf(each, { path: 'package/own', type: 'SymbolicLink', linksTo: 'package.json' }),
        ),
    ],
    [
      'a hard link',
      (each) =>
        packArchive(
          entriesOf(each, { path: 'package/passwd', type: 'Link', linksTo: '/etc/passwd' }),
        ),
    ],
    [
      'the content of another package',
      (each) => packArchive(entriesOf({ ...each, name: 'another' })),
    ],
    ['no archive at all', () => Buffer.from('This is a page.')],
    ['an archive that is cut', (each) => packArchive(entriesOf(each)).subarray(0, 100_000)],
  ])(
    'refuses %s, and leaves nothing of it',
    async (_, pack) => {
      await startRegistry(pack)
      await startServer()
      await start()
      for (const { error } of await untilFailed())
        expect(error).toContain('not the expected package')
      expect(contentOf('packages')).toEqual([])
      expect(existsSync(path.join(server.dataDir, 'escaped'))).toBe(false)
      expect(existsSync('/tmp/chat-gateway-escaped')).toBe(false)
      expect(existsSync(path.join(server.dataDir, 'engine-cuda', 'escaped'))).toBe(false)
      expect(contentOf('downloads').filter((name) => name.endsWith('.part'))).toEqual([])
    },
    30_000,
  )

  it('does not follow a registry into the own network', async () => {
    await startRegistry()
    await startServer({ WEB_FETCH_ALLOWED_HOSTS: '' })
    const offer = await call('GET', '/cuda/offer')
    expect(offer.status).toBe(400)
    expect(await offer.text()).toContain('not on the public internet')
    for (const hub of registry.hubs.values()) expect(hub.ranges).toEqual([])
  })

  it.each([
    ['OFFLINE_MODE', 'offline mode'],
    ['SEALED_MODE', 'Sealed mode is on'],
  ])('downloads nothing with %s', async (mode, words) => {
    await startRegistry()
    await startServer({ [mode]: 'true', CUDA_PACKAGE_REGISTRY: 'https://registry.example.com' })
    for (const [method, target] of [
      ['GET', '/cuda/offer'],
      ['POST', '/cuda/downloads'],
    ] as const) {
      const refused = await call(method, target)
      expect(refused.status).toBe(403)
      expect(await refused.text()).toContain(words)
    }
    expect((await stateOf())!.downloads).toEqual([])
  })
})
