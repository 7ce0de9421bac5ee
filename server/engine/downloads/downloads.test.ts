import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { startModelHub, type ModelHub } from '../../testing/start-model-hub.ts'
import { createTinyModel } from '../../testing/write-tiny-model.ts'
import { ModelLibrary } from '../library/model-library.ts'
import { Downloads } from './downloads.ts'
import { fetchFile } from './transfer.ts'

const NEVER = new AbortController().signal
const NAME = 'hub-tiny-q8_0'

let hub: ModelHub
let folder: string
let library: ModelLibrary
const opened: Downloads[] = []

function createFetch(allowedHosts = [new URL(hub.url).host]): GuardedFetch {
  return new GuardedFetch(() => ({
    allowedHosts,
    allowLocal: false,
    offline: false,
    maximumBytes: 1_000_000,
    timeoutMilliseconds: 5000,
  }))
}

function open(allowedHosts?: string[]): Downloads {
  const downloads = new Downloads({
    library,
    folder: path.join(folder, 'downloads'),
    fetch: createFetch(allowedHosts),
    mirrors: () => [hub.url],
    stallMilliseconds: 400,
    pauseMilliseconds: 5,
  })
  opened.push(downloads)
  return downloads
}

beforeEach(async () => {
  hub = await startModelHub(createTinyModel())
  folder = createTemporaryFolder()
  library = new ModelLibrary(path.join(folder, 'models'), () => Promise.resolve([]))
})
afterEach(async () => {
  for (const downloads of opened.splice(0)) await downloads.close()
  await hub.close()
})

const fileOf = (): string => path.join(folder, 'models', 'Hub-Tiny-Q8_0.gguf')
const leftovers = (): string[] => readdirSync(path.join(folder, 'downloads'))

/** Waits until the model is there. */
async function untilThere(): Promise<void> {
  await vi.waitUntil(async () => (await library.find(NAME)) !== null, { timeout: 20_000 })
}

async function failureOf(downloads: Downloads): Promise<string> {
  await vi.waitUntil(async () => (await downloads.list())[0]?.status === 'failed', {
    timeout: 20_000,
  })
  return (await downloads.list())[0]!.error!
}

it('downloads a file of a repository whole, and leaves nothing else behind', async () => {
  const downloads = open()
  const started = await downloads.start(`${hub.repository}:Q8_0`, NEVER)
  expect(started).toMatchObject({ name: NAME, total: hub.file.length })
  await untilThere()
  expect(readFileSync(fileOf())).toEqual(hub.file)
  await vi.waitUntil(() => leftovers().length === 0)
  expect(await downloads.list()).toEqual([])
})

it.each([
  [
    'is cut off',
    [
      { kind: 'cut', after: 100_000 },
      { kind: 'cut', after: 150_000 },
    ],
  ],
  ['says nothing any more', [{ kind: 'stall', after: 120_000 }]],
  ['answers with an error', [{ kind: 'cut', after: 90_000 }, { kind: 'fail' }]],
] as const)(
  'goes on by range after a server that %s',
  async (_, faults) => {
    hub.faults.push(...faults)
    await open().start(`${hub.url}/files/Hub-Tiny-Q8_0.gguf`, NEVER)
    await untilThere()
    expect(readFileSync(fileOf())).toEqual(hub.file)
    expect(hub.ranges[0]).toBeNull()
    expect(hub.ranges.at(-1)).toMatch(/^bytes=[1-9]\d+-$/)
  },
  30_000,
)

it.each([
  ['ignores ranges', 'ignore-range'],
  ['has another file by now', 'change'],
] as const)(
  'begins anew with a server that %s',
  async (_, kind) => {
    hub.faults.push({ kind: 'cut', after: 100_000 }, { kind })
    await open().start(`${hub.url}/files/Hub-Tiny-Q8_0.gguf`, NEVER)
    await untilThere()
    expect(readFileSync(fileOf())).toEqual(hub.file)
  },
  30_000,
)

it.each([
  ['another checksum', { sha256: 'a'.repeat(64) }, 'its checksum differs'],
  ['another length', { bytes: 1234 }, 'another length than the hub promised'],
])('refuses a file with %s than was promised', async (_, promise, words) => {
  hub.promise = promise
  const downloads = open()
  await downloads.start(hub.repository, NEVER)
  expect(await failureOf(downloads)).toContain(words)
  expect(await library.list()).toEqual([])
})

it('refuses more bytes than were promised', async () => {
  hub.faults.push({ kind: 'too-long' })
  const downloads = open()
  await downloads.start(hub.repository, NEVER)
  expect(await failureOf(downloads)).toContain('more than the file is long')
  expect(await library.list()).toEqual([])
})

it('says how much room the disk lacks for a file, before it fills the disk with it', async () => {
  hub.promise = { bytes: 10 ** 15 }
  hub.faults.push({ kind: 'huge' })
  const downloads = open()
  await downloads.start(hub.repository, NEVER)
  expect(await failureOf(downloads)).toMatch(/too little room on the disk: 10000\d\d GB are needed/)
})

it.skipIf(!existsSync('/dev/full'))(
  'says that the disk became full, without trying again',
  async () => {
    const file = path.join(folder, 'full.part')
    symlinkSync('/dev/full', file)
    const work = fetchFile({
      source: {
        addresses: [`${hub.url}/${hub.repository}/resolve/main/Hub-Tiny-Q8_0.gguf`],
        fileName: 'Hub-Tiny-Q8_0.gguf',
        bytes: null,
        sha256: null,
      },
      file,
      mark: { etag: null, total: null },
      fetch: createFetch(),
      signal: NEVER,
      stallMilliseconds: 400,
      pauseMilliseconds: 5,
      spareBytes: 0,
      onMark: () => undefined,
      onProgress: () => undefined,
    })
    await expect(work).rejects.toThrow('The disk became full during the download')
    expect(hub.ranges).toHaveLength(1)
  },
)

it('refuses what is no model, and deletes it', async () => {
  hub.file = Buffer.from('This is a page, and no model at all, whatever its name says.')
  const downloads = open()
  await downloads.start(hub.repository, NEVER)
  expect(await failureOf(downloads)).toContain('no model in the GGUF format')
  expect(leftovers().filter((name) => name.endsWith('.part'))).toEqual([])
})

it('rests when told to, and goes on where it was, also in another process', async () => {
  hub.pace = 200_000
  const first = open()
  const { id } = await first.start(hub.repository, NEVER)
  await vi.waitUntil(async () => (await first.list())[0]!.completed > 60_000, { timeout: 10_000 })
  expect((await first.list())[0]).toMatchObject({ status: 'running' })
  await first.pause(id)
  const [rested] = await first.list()
  expect(rested).toMatchObject({ status: 'paused' })

  const second = open()
  expect(await second.list()).toEqual([{ ...rested, bytes_per_second: 0 }])
  hub.pace = null
  await second.resume(id)
  await untilThere()
  expect(readFileSync(fileOf())).toEqual(hub.file)
  expect(hub.ranges.at(-1)).toBe(`bytes=${rested!.completed}-`)
}, 30_000)

it('deletes what is there of a download that is ended', async () => {
  hub.pace = 200_000
  const downloads = open()
  const { id } = await downloads.start(hub.repository, NEVER)
  await vi.waitUntil(async () => (await downloads.list())[0]!.completed > 30_000)
  await downloads.cancel(id)
  expect(leftovers()).toEqual([])
  expect(await downloads.list()).toEqual([])
})

it('goes on with the same file when two people begin it', async () => {
  hub.pace = 400_000
  const downloads = open()
  const started = await downloads.start(hub.repository, NEVER)
  expect((await downloads.start(hub.repository, NEVER)).id).toBe(started.id)
  await untilThere()
  expect(hub.ranges).toEqual([null])
}, 30_000)

it('refuses another model of the same file name while the first one is being downloaded', async () => {
  hub.pace = 200_000
  const downloads = open()
  await downloads.start(hub.repository, NEVER)
  const elsewhere = `${hub.url}/elsewhere/Hub-Tiny-Q8_0.gguf`
  await expect(downloads.start(elsewhere, NEVER)).rejects.toThrow(
    /Another model is being downloaded/,
  )
  expect(await downloads.list()).toHaveLength(1)
})

it('goes on for others when one of those who pull a model breaks off', async () => {
  hub.pace = 200_000
  const downloads = open()
  const pull = async (signal: AbortSignal): Promise<string[]> => {
    const lines: string[] = []
    for await (const line of downloads.pull(hub.repository, signal))
      lines.push(String(line['status']))
    return lines
  }
  const leaving = new AbortController()
  const left = pull(leaving.signal)
  const stayed = pull(NEVER)
  await vi.waitUntil(async () => ((await downloads.list())[0]?.completed ?? 0) > 30_000)
  leaving.abort()
  await left
  hub.pace = null
  expect((await stayed).at(-1)).toBe('success')
  expect(await library.find(NAME)).not.toBeNull()
}, 30_000)

it('does not take a file of another repository for the one that is pulled', async () => {
  const lines = async (): Promise<unknown[]> => {
    const found: unknown[] = []
    for await (const { status } of open().pull(hub.repository, NEVER)) found.push(status)
    return found
  }
  mkdirSync(path.dirname(fileOf()), { recursive: true })
  // The same name and length, with another content.
  const other = Buffer.from(hub.file)
  other.writeUInt8(other.at(-1)! ^ 1, other.length - 1)
  for (const bytes of [other, Buffer.concat([hub.file, Buffer.alloc(32)])]) {
    writeFileSync(fileOf(), bytes)
    await expect(lines()).rejects.toMatchObject({ status: 409, code: 'name_taken' })
    expect(readFileSync(fileOf())).toEqual(bytes)
  }
  writeFileSync(fileOf(), hub.file)
  expect(await lines()).toEqual(['pulling manifest', 'success'])
  expect(hub.ranges).toEqual([])
})

it('goes on when a call that only watched it breaks off', async () => {
  hub.pace = 200_000
  const downloads = open()
  await downloads.start(hub.repository, NEVER)
  const lines = downloads.pull(hub.repository, NEVER)
  await lines.next()
  await lines.next()
  await lines.return(undefined)
  hub.pace = null
  await untilThere()
  expect(readFileSync(fileOf())).toEqual(hub.file)
}, 30_000)

it('fetches nothing from the own network, nor anything but http', async () => {
  const downloads = open([])
  await downloads.start(`${hub.url}/files/secret.gguf`, NEVER)
  expect(await failureOf(downloads)).toContain('not on the public internet')
  expect(hub.ranges).toEqual([])
  await expect(downloads.start('file:///etc/passwd', NEVER)).rejects.toThrow('Name the address')
  await expect(downloads.start(`${hub.url}/a/model.zip`, NEVER)).rejects.toThrow(
    'must end with the name',
  )
  // Escapes that are not UTF-8 stay, and are no part of a file name.
  await expect(downloads.start(`${hub.url}/a/%zz.gguf`, NEVER)).rejects.toThrow(
    'must end with the name',
  )
  // Only the last segment of a path determines the file name.
  const escaping = await downloads.start(`${hub.url}/a/..%2f..%2fx.gguf`, NEVER)
  expect(escaping.name).toBe('x')
})

it('has its notes unread where somebody wrote into them', async () => {
  mkdirSync(path.join(folder, 'downloads'), { recursive: true })
  const note = { id: '../../x', source: { addresses: ['http://x'], fileName: '../x.gguf' } }
  writeFileSync(path.join(folder, 'downloads', 'x.json'), JSON.stringify(note))
  writeFileSync(path.join(folder, 'downloads', 'y.json'), '{"id":')
  expect(await open().list()).toEqual([])
  expect(existsSync(fileOf())).toBe(false)
})
