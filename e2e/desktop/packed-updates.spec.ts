import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test as base } from '@playwright/test'
import { startFakeCompatible } from '../../server/testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../../server/testing/fake-upstream/fake-server.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { expect, findProcesses } from './desktop-app.ts'
import { startPacked, type RunningPacked } from './packed-app.ts'
import { findPackedVersions, makeCarriers, type Carriers } from './packed-versions.ts'
import { scriptAnswers, type ScriptedAnswers } from './scripted-answers.ts'
import { describeRelease, digestOf, UpdateServer, writeFeedFile } from './update-server.ts'

const versions = findPackedVersions()
const START = 60_000
/** A file unpacks itself when it is first started, which takes long on a busy disk. */
const PATIENCE = 120_000

interface Made extends Carriers {
  readonly answers: ScriptedAnswers
}

interface Fixtures {
  profile: string
  /** The file of the app a person started; updates replace it. */
  program: string
  /** Starts the file on the profile. */
  start: (variables?: Readonly<Record<string, string>>) => Promise<Started>
}

interface Started extends RunningPacked {
  readonly chat: ChatPage
  openUpdates(): Promise<void>
  press(name: string): Promise<void>
}

const test = base.extend<Fixtures, { feed: UpdateServer; made: Made; upstream: FakeUpstream }>({
  feed: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
    async ({}, use) => {
      const server = new UpdateServer()
      await server.start()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  made: [
    async ({ feed }, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'packed-versions-'))
      const answers = scriptAnswers(folder, 'Go back to version')
      const entry = path.join(folder, 'broken.mjs')
      writeFileSync(entry, 'process.exit(1)\n')
      const brokenBy = { entry, preload: answers.file }
      const parts = { versions: versions!, folder, feed: feed.url, brokenBy }
      await use({ ...(await makeCarriers(parts)), answers })
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  upstream: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      const upstream = await startFakeCompatible({
        models: ['text'],
        script: () => ({
          steps: [
            { kind: 'content', text: 'Slow ' },
            { kind: 'wait', milliseconds: 6000 },
            { kind: 'content', text: 'and whole.' },
          ],
        }),
      })
      await use(upstream)
      await upstream.close()
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- as above
  profile: async ({}, use) => {
    const profile = mkdtempSync(path.join(tmpdir(), 'packed-profile-'))
    await use(profile)
    for (const id of findProcesses(profile)) process.kill(Number(id), 'SIGTERM')
    await expect.poll(() => findProcesses(profile), { timeout: START }).toEqual([])
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  },
  program: async ({ made }, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'packed-program-'))
    const program = path.join(folder, 'Chat Gateway.AppImage')
    copyFileSync(made.older, program)
    await use(program)
    rmSync(folder, { recursive: true, force: true })
  },
  start: async ({ profile, program, upstream }, use) => {
    const variables = { OPENAI_API_BASE_URLS: upstream.url, OPENAI_API_KEYS: 'key' }
    const started: RunningPacked[] = []
    await use(async (more = {}) => {
      const words = [`--profile=${profile}`, '--secrets=file']
      const app = await startPacked(
        { folder: '', program },
        words,
        { ...variables, ...more },
        PATIENCE,
      )
      started.push(app)
      const { page } = app
      const chat = new ChatPage(page, new URL(page.url()).origin)
      const guide = page.getByRole('button', { name: 'Skip guide' })
      await guide.or(chat.composer).first().waitFor({ timeout: START })
      if (await guide.isVisible()) await guide.click()
      await chat.composer.waitFor()
      return {
        ...app,
        chat,
        async openUpdates() {
          await page.goto(`${chat.url}/settings/desktop`)
          await page.getByRole('button', { name: /^(Look now|Restart now)$/ }).waitFor()
        },
        press: (name) => page.getByRole('button', { name, exact: true }).click(),
      }
    })
    for (const app of started) await app.close()
  },
})

test.skip(versions === null, 'Two packed versions are needed: `.ci/prove-updates` makes them.')
test.setTimeout(420_000)

const NEWER = '99.0.0'
const digests = new Map<string, string>()

/** Offers a version whose file has these bytes. */
function offerBytes(feed: UpdateServer, file: Buffer, sha512 = digestOf(file)): void {
  const release = { version: NEWER, file }
  feed.requests.length = 0
  feed.onList((_, response) => void response.end(describeRelease(release, sha512)))
  feed.onFile((_, response) => {
    response.setHeader('Content-Length', file.length)
    response.end(file)
  })
}

/** Offers a packed version; its digest is computed once, because the file is large. */
function offer(feed: UpdateServer, file: string): void {
  const bytes = readFileSync(file)
  const digest = digests.get(file) ?? digestOf(bytes)
  digests.set(file, digest)
  offerBytes(feed, bytes, digest)
}

const isSameFile = (one: string, other: string): boolean =>
  readFileSync(one).equals(readFileSync(other))

/** Waits until the program that was started last has a gateway, which is not that of `before`. */
async function waitForGateway(profile: string, before: number): Promise<string> {
  const file = path.join(profile, 'data/gateway.json')
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as { pid: number; url: string }
  await expect.poll(() => existsSync(file) && read().pid !== before, { timeout: START }).toBe(true)
  return read().url
}

const pidOf = (profile: string): number =>
  (JSON.parse(readFileSync(path.join(profile, 'data/gateway.json'), 'utf8')) as { pid: number }).pid

/** Ends whatever runs on the profile as the system does when a person signs out. */
async function endAll(profile: string): Promise<void> {
  const [first] = findProcesses(profile)
    .map(Number)
    .toSorted((one, other) => one - other)
  if (first !== undefined) process.kill(first, 'SIGTERM')
  await expect.poll(() => findProcesses(profile), { timeout: START }).toEqual([])
}

function copiesIn(profile: string): string[] {
  const folder = path.join(profile, 'data/backups')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter((name) => name.endsWith('-before-update.db'))
}

test('a packed version is replaced by another: after a running answer, with a copy of the database, and every chat is there', async ({
  feed,
  made,
  profile,
  program,
  start,
}) => {
  offer(feed, made.newer)
  const old = await start()
  const before = pidOf(profile)
  await old.openUpdates()
  await old.press('Look now')
  await old.press('Download')
  await expect(old.page.getByText(`Version ${NEWER} is downloaded and checked.`)).toBeVisible({
    timeout: START,
  })
  await old.chat.open()
  await old.chat.send('Remember this line.')
  await expect(old.chat.answers.last()).toContainText('Slow')
  await old.openUpdates()
  await old.press('Restart now')
  await expect(old.page.getByText('Waiting until no answer is being written.')).toBeVisible()
  expect(isSameFile(program, made.older)).toBe(true)
  expect(copiesIn(profile)).toEqual([])
  await waitForGateway(profile, before)
  expect(isSameFile(program, made.newer)).toBe(true)
  expect(isSameFile(`${program}.previous`, made.older)).toBe(true)
  expect(copiesIn(profile)).toHaveLength(1)
  expect(made.starts().at(-1)).toBe(`newer -- --profile=${profile} --secrets=file`)
  await expect
    .poll(() => existsSync(path.join(profile, 'update.json')), { timeout: START })
    .toBe(false)
  await endAll(profile)

  const updated = await start()
  await updated.chat.chatList.getByRole('link').first().click()
  await expect(updated.chat.userMessages.last()).toContainText('Remember this line.')
  await expect(updated.chat.answers.last()).toContainText('Slow and whole.')
  await updated.openUpdates()
  await expect(updated.page.getByText(NEWER).first()).toBeVisible()
})

test('a packed version that does not come up gives way to the one before it, with every chat', async ({
  feed,
  made,
  profile,
  program,
  start,
}) => {
  offer(feed, made.broken)
  const old = await start()
  const before = pidOf(profile)
  await old.chat.ask('Remember this line.')
  await old.openUpdates()
  await old.press('Look now')
  await old.press('Download')
  await old.press('Restart now')
  await expect.poll(() => made.answers.questions(), { timeout: START }).toHaveLength(1)
  expect(made.answers.questions()[0]!.message).toContain(NEWER)
  await waitForGateway(profile, before)
  expect(
    made
      .starts()
      .slice(-2)
      .map((line) => line.split(' ')[0]),
  ).toEqual(['broken', 'older'])
  expect(isSameFile(program, made.older)).toBe(true)
  expect(existsSync(path.join(profile, 'update.json'))).toBe(false)
  await endAll(profile)

  const again = await start()
  await again.chat.chatList.getByRole('link').first().click()
  await expect(again.chat.answers.last()).toContainText('Slow and whole.')
  await again.openUpdates()
  await expect(again.page.getByText(NEWER)).toHaveCount(0)
})

/**
 * Beginning of a packed version: what is refused after its download need not be hundreds of
 * megabytes.
 */
function readBeginning(file: string): Buffer {
  const bytes = Buffer.alloc(4 * 1024 * 1024)
  const handle = openSync(file, 'r')
  readSync(handle, bytes)
  closeSync(handle)
  return bytes
}

const WRONGS: readonly {
  readonly name: string
  readonly set: (feed: UpdateServer, made: Made) => void
  readonly says: string
}[] = [
  {
    name: 'a file with another checksum',
    set: (feed, made) =>
      offerBytes(feed, readBeginning(made.newer), Buffer.alloc(64).toString('base64')),
    says: 'not the one that was announced',
  },
  {
    name: 'a file of another version under the checksum of this one',
    set(feed, made) {
      offerBytes(feed, readBeginning(made.newer))
      const other = readBeginning(made.broken).reverse()
      feed.onFile((_, response) => void response.end(other))
    },
    says: 'not the one that was announced',
  },
  {
    name: 'a feed that breaks off half-way',
    set(feed, made) {
      const file = readBeginning(made.newer)
      offerBytes(feed, file)
      feed.onFile((_, response) => {
        response.setHeader('Content-Length', file.length)
        response.write(file.subarray(0, file.length / 2), () => response.destroy())
      })
    },
    says: 'The download broke off.',
  },
]

test('a packed version refuses false files and those cut half-way, and nothing changes', async ({
  feed,
  made,
  program,
  start,
}) => {
  const old = await start()
  await old.openUpdates()
  for (const { name, set, says } of WRONGS)
    await test.step(name, async () => {
      set(feed, made)
      await old.press('Look now')
      // Until the search begins, the button of the version found before is there, and does nothing.
      await expect(old.page.getByRole('alert')).toHaveCount(0)
      await old.press('Download')
      await expect(old.page.getByRole('alert').filter({ hasText: says })).toBeVisible()
    })
  await old.close()
  expect(isSameFile(program, made.older)).toBe(true)
  expect(existsSync(`${program}.previous`)).toBe(false)
})

test('a packed version in sealed mode asks no update server outside this computer', async ({
  feed,
  made,
  start,
}) => {
  const resources = path.join(made.olderFolder, 'resources')
  writeFeedFile(resources, 'https://updates.example.org')
  try {
    const old = await start({ SEALED_MODE: 'true' })
    await old.openUpdates()
    await old.press('Look now')
    await expect(old.page.getByRole('alert').filter({ hasText: 'Sealed mode is on' })).toBeVisible()
  } finally {
    writeFeedFile(resources, feed.url)
  }
})
