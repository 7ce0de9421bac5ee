import { readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { createTemporaryFolder } from '../../testing/create-temporary-folder.ts'
import { startModelHub, type HubFault, type ModelHub } from '../../testing/start-model-hub.ts'
import { createTinyModel } from '../../testing/write-tiny-model.ts'
import { ModelLibrary } from '../library/model-library.ts'
import { Downloads } from './downloads.ts'

const NEVER = new AbortController().signal
const MODEL = createTinyModel()

let first: ModelHub
let second: ModelHub
let downloads: Downloads
let library: ModelLibrary
let folder: string

beforeEach(async () => {
  first = await startModelHub(MODEL)
  second = await startModelHub(MODEL)
  folder = createTemporaryFolder()
  library = new ModelLibrary(path.join(folder, 'models'), () => Promise.resolve([]))
  downloads = new Downloads({
    library,
    folder: path.join(folder, 'downloads'),
    fetch: new GuardedFetch(() => ({
      allowedHosts: [first, second].map(({ url }) => new URL(url).host),
      allowLocal: false,
      offline: false,
      maximumBytes: 1_000_000,
      timeoutMilliseconds: 2000,
    })),
    mirrors: () => [first.url, second.url],
    stallMilliseconds: 300,
    pauseMilliseconds: 5,
  })
})
afterEach(async () => {
  await downloads.close()
  await first.close()
  await second.close()
})

/** Starts the download and waits until it ends; resolves with the reason if it failed. */
async function download(): Promise<string | null> {
  await downloads.start(first.repository, NEVER)
  await vi.waitUntil(async () => (await downloads.list())[0]?.status !== 'running', {
    timeout: 20_000,
  })
  return (await downloads.list())[0]?.error ?? null
}

async function expectWhole(): Promise<void> {
  const file = path.join(folder, 'models', 'Hub-Tiny-Q8_0.gguf')
  expect(readFileSync(file).equals(MODEL)).toBe(true)
  await vi.waitUntil(() => readdirSync(path.join(folder, 'downloads')).length === 0)
}

it.each<[string, HubFault]>([
  ['stalls before the first byte', { kind: 'stall', after: 0 }],
  ['stalls in the middle', { kind: 'stall', after: 100_000 }],
  ['breaks off in the middle', { kind: 'cut', after: 100_000 }],
  ['does not have the file', { kind: 'missing' }],
  ['is out of order', { kind: 'fail' }],
  ['sends a file of another length', { kind: 'other-length' }],
  ['sends other bytes', { kind: 'other-bytes' }],
  ['sends the file compressed', { kind: 'compress' }],
  ['redirects into the own network', { kind: 'redirect', to: 'http://127.0.0.1:9/model.gguf' }],
  ['redirects to something that is no address', { kind: 'redirect', to: 'http://[' }],
  ['redirects in a circle', { kind: 'redirect', to: '?again' }],
])(
  'takes the file from the second mirror when the first one %s',
  async (_, fault) => {
    first.lasting = fault
    expect(await download()).toBeNull()
    await expectWhole()
    expect(second.ranges.length).toBeGreaterThan(0)
  },
  30_000,
)

it('takes the whole file when the first mirror sends more bytes behind it', async () => {
  first.lasting = { kind: 'too-long' }
  expect(await download()).toBeNull()
  await expectWhole()
})

it('continues at the second mirror where the first one stopped', async () => {
  first.lasting = { kind: 'stall', after: 100_000 }
  expect(await download()).toBeNull()
  await expectWhole()
  expect(first.ranges).toEqual([null])
  expect(second.ranges).toEqual([expect.stringMatching(/^bytes=[1-9]\d*-$/)])
})

it('asks a mirror without the file no second time when the other one breaks off', async () => {
  first.lasting = { kind: 'missing' }
  second.faults.push({ kind: 'cut', after: 80_000 }, { kind: 'cut', after: 80_000 })
  expect(await download()).toBeNull()
  await expectWhole()
  expect(first.ranges).toEqual([null])
})

it('keeps what is there when a mirror ignores ranges, as long as another one may go on', async () => {
  first.faults.push({ kind: 'cut', after: 100_000 }, { kind: 'cut', after: 50_000 })
  second.faults.push({ kind: 'ignore-range' })
  expect(await download()).toBeNull()
  await expectWhole()
  expect(first.ranges[1]).toMatch(/^bytes=[1-9]\d*-$/)
})

it('begins anew at a mirror that ignores ranges when no other one goes on', async () => {
  first.faults.push({ kind: 'cut', after: 100_000 })
  first.lasting = { kind: 'fail' }
  second.lasting = { kind: 'ignore-range' }
  expect(await download()).toBeNull()
  await expectWhole()
})

it('ends with mirrors that never send the file, each breaking off elsewhere', async () => {
  first.lasting = { kind: 'cut', after: 0 }
  first.faults.push({ kind: 'cut', after: 200_000 })
  second.lasting = { kind: 'cut', after: 0 }
  expect(await download()).toContain('interrupted repeatedly')
})

it('says that the bytes are wrong when no mirror sends the right ones', async () => {
  first.lasting = { kind: 'other-bytes' }
  second.lasting = { kind: 'other-bytes' }
  expect(await download()).toContain('its checksum differs')
  expect(await library.list()).toEqual([])
  expect(
    readdirSync(path.join(folder, 'downloads')).filter((name) => name.endsWith('.part')),
  ).toEqual([])
})

it('tells right bytes from wrong ones when two mirrors each sent a part', async () => {
  first.faults.push({ kind: 'cut', after: 100_000 })
  second.lasting = { kind: 'other-bytes' }
  expect(await download()).toBeNull()
  await expectWhole()
})

it('refuses a file all mirrors send compressed, and says so', async () => {
  first.lasting = { kind: 'compress' }
  second.lasting = { kind: 'compress' }
  expect(await download()).toContain('compressed')
})

const reply =
  (status: number, text: string) =>
  (response: ServerResponse): void =>
    void response.writeHead(status).end(text)

/** Writes as long as somebody reads, and resolves with the number of bytes when nobody does. */
function writeWithoutEnd(response: ServerResponse, piece: Buffer): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  let written = 0
  const write = (): void => {
    if (response.destroyed) return
    written += piece.length
    if (response.write(piece)) setImmediate(write)
    else response.once('drain', write)
  }
  response.on('close', () => resolve(written))
  write()
  return promise
}

it.each<[string, (response: ServerResponse) => void]>([
  ['does not know the repository', reply(404, '{"error":"Repository not found"}')],
  ['wants a sign-in', reply(401, 'Invalid username or password.')],
  ['is out of order', reply(503, '')],
  ['answers with a page', reply(200, '<!doctype html><title>Sign in</title>')],
  ['answers with an object', reply(200, '{"error":"Rate limited"}')],
  ['lists nothing', reply(200, '[]')],
  ['lists other things than files', reply(200, '[null, 3, {"path": 5}, {"path": "README.md"}]')],
  ['answers nothing', () => undefined],
  ['breaks off', (response) => void response.writeHead(200).write('[', () => response.destroy())],
  ['lists a model in parts only', reply(200, '[{"path":"Tiny-Q8_0-00001-of-00002.gguf"}]')],
  ['names an impossible file', reply(200, '[{"path":"Tiny model.gguf"}]')],
])('asks the second mirror for the list when the first one %s', async (_, answer) => {
  first.answerList = answer
  expect(await download()).toBeNull()
  await expectWhole()
})

it('stops reading a list without an end, and asks the second mirror', async () => {
  const sent: Promise<number>[] = []
  first.answerList = (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    sent.push(writeWithoutEnd(response, Buffer.alloc(65_536, ' ')))
  }
  expect(await download()).toBeNull()
  await expectWhole()
  // What the connection buffers is sent without being read.
  for (const bytes of sent) expect(await bytes).toBeLessThan(50_000_000)
  expect(sent).toHaveLength(1)
})

it('stops reading a list that comes drop by drop, and asks the second mirror', async () => {
  const closed = Promise.withResolvers<void>()
  first.answerList = (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).write('[')
    const timer = setInterval(() => response.write(' '), 10)
    response.on('close', () => (clearInterval(timer), closed.resolve()))
  }
  expect(await download()).toBeNull()
  await closed.promise
  await expectWhole()
})

it('says what the mirror that knows the repository has, when no mirror has the wanted kind', async () => {
  first.answerList = reply(404, '')
  second.answerList = reply(200, '[{"path":"Tiny-Q8_0.gguf"},{"path":"Tiny-F16.gguf"}]')
  const start = (kind: string) => downloads.start(`${first.repository}:${kind}`, NEVER)
  await expect(start('Q2_K')).rejects.toThrow('It has: Tiny-Q8_0.gguf, Tiny-F16.gguf.')
  second.answerList = reply(503, '')
  await expect(start('Q8_0')).rejects.toThrow('There is no repository "maker/Hub-Tiny-GGUF"')
})
