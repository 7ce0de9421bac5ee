import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { createOutgoingFetch } from '../lib/outgoing/outgoing-fetch.ts'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { Packages } from './packages.ts'
import { runtimeFolder } from './runner/start-runner.ts'

const WHEEL = Buffer.from('the bytes of a wheel')
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Writes the lock file of the runtime with two packages that can be served here, as its real ones
 * cannot.
 */
function writeLock(folder: string): void {
  const lock = JSON.parse(
    readFileSync(path.join(runtimeFolder(), 'pyodide-lock.json'), 'utf8'),
  ) as {
    packages: Record<string, { file_name: string; sha256: string; depends: string[] }>
  }
  for (const name of ['numpy', 'python-dateutil', 'pytz', 'six', 'pandas'])
    lock.packages[name]!.sha256 = hash(WHEEL)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'pyodide-lock.json'), JSON.stringify(lock))
}

async function serve(answer: (file: string) => Buffer | number | 'stall') {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const file = decodeURIComponent(request.url!.split('/').at(-1)!)
    asked.push(file)
    const given = answer(file)
    if (given === 'stall') return void response.writeHead(200).write('x')
    if (typeof given === 'number')
      return void response.writeHead(given, { Location: 'http://127.0.0.1:9/' }).end()
    response.end(given)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/full`, asked }
}

function open(source: string, refusal: string | null = null): Packages {
  const folder = createTemporaryFolder()
  const runtime = path.join(folder, 'runtime')
  writeLock(runtime)
  const outgoing = createOutgoingFetch({ kind: 'code' })
  onTestFinished(() => outgoing.close())
  const log = createLogger('silent')
  return new Packages({
    runtimeFolder: runtime,
    folder: path.join(folder, 'packages'),
    source: () => source,
    refusal: () => refusal,
    fetch: outgoing.fetch,
    log,
  })
}

async function end(packages: Packages) {
  while (packages.describe().download !== null) await sleep(5)
  return packages.describe()
}

test('the packages on offer are those the runtime was built with', () => {
  const { packages } = open('').describe()
  expect(packages.map(({ name, installed }) => [name, installed])).toEqual([
    ['numpy', false],
    ['pandas', false],
    ['matplotlib', false],
    ['pillow', false],
    ['scikit-learn', false],
  ])
})

test('a package is fetched with what it needs, once, and is found afterwards', async () => {
  const { url, asked } = await serve(() => WHEEL)
  const packages = open(url)
  packages.begin(['pandas'])
  expect(() => packages.begin(['pandas'])).toThrow('being fetched already')
  expect((await end(packages)).error).toBeNull()
  expect(asked).toHaveLength(5)
  expect(packages.installed()).toEqual(['numpy', 'pandas'])
  expect(packages.describe().packages[1]).toMatchObject({ installed: true, size: WHEEL.length * 5 })
  expect(readFileSync(packages.find(asked[0]!)!)).toEqual(WHEEL)
  expect(packages.find('../pyodide-lock.json')).toBeNull()
  packages.begin(['numpy'])
  await end(packages)
  expect(asked).toHaveLength(5)
  packages.removeAll()
  expect(packages.installed()).toEqual([])
})

test.each([
  [
    'another file than the runtime expects',
    Buffer.from('forged'),
    'is not the file the runtime expects',
  ],
  ['nothing', 404, 'status 404'],
  ['a redirect', 302, 'status 302'],
])('of a server that gives %s nothing is kept', async (_, given, words) => {
  const packages = open((await serve(() => given)).url)
  packages.begin(['numpy'])
  expect((await end(packages)).error).toContain(words)
  expect(readdirSync(packages.folder)).toEqual([])
})

test('a download is stopped, refused offline, and for names nobody knows', async () => {
  const { url, asked } = await serve(() => 'stall')
  const packages = open(url)
  packages.begin(['numpy'])
  while (asked.length === 0) await sleep(5)
  packages.stop()
  expect((await end(packages)).error).toBe('The download was stopped.')
  expect(() => packages.begin(['no-such'])).toThrow('knows no package "no-such"')
  expect(() => open('').begin()).toThrow('CODE_PACKAGES_URL')
  expect(() => open(url, 'The gateway is in offline mode.').begin()).toThrow('offline mode')
})
