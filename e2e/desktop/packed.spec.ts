import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test as base } from '@playwright/test'
import { writeTinyModel } from '../../server/testing/write-tiny-model.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { expect, takePicture } from './desktop-app.ts'
import {
  copyPacked,
  findPacked,
  makeFolder,
  startPacked,
  type PackedFolder,
  type RunningPacked,
} from './packed-app.ts'

const packed = findPacked()

interface Fixtures {
  start: (
    words?: readonly string[],
    variables?: Readonly<Record<string, string>>,
  ) => Promise<RunningPacked>
}

const test = base.extend<Fixtures, { copy: PackedFolder }>({
  copy: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'packed-app-'))
      await use(await copyPacked(packed!, path.join(folder, 'Chat Gateway')))
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  start: async ({ copy }, use) => {
    const started: RunningPacked[] = []
    await use(async (words = [], variables = {}) => {
      const app = await startPacked(copy, words, variables)
      started.push(app)
      return app
    })
    for (const app of started) await app.close()
  },
})

test.skip(packed === null, 'Nothing is packed: `npm run pack` first.')

test('the packed app starts, answers with a model of its own and ends', async ({ start }) => {
  const profile = mkdtempSync(path.join(tmpdir(), 'packed-profile-'))
  const models = makeFolder(path.join(profile, 'data', 'models'))
  writeTinyModel(path.join(models, 'tiny.gguf'), { contextLength: 2048 })
  const app = await start([`--profile=${profile}`, '--secrets=file'])
  const { page } = app
  await page.getByRole('button', { name: 'Skip guide' }).click()
  const chat = new ChatPage(page, new URL(page.url()).origin)
  await chat.composer.waitFor()
  await chat.composer.fill('Hello river')
  await chat.composer.press('Enter')
  await expect(page.getByRole('article').last()).toContainText(
    /stone|river|roof|light|walks|bird|rains|green|quiet|sings|morning/,
    { timeout: 40_000 },
  )
  await takePicture(page, 'packed-answer')
  await page.goto(`${new URL(page.url()).origin}/settings/desktop`)
  await expect(page.getByRole('heading', { name: 'Desktop app' })).toBeVisible()
  await takePicture(page, 'packed-settings')
  await app.close()
  expect(existsSync(path.join(profile, 'data', 'gateway.json'))).toBe(false)
  rmSync(profile, { recursive: true, force: true })
})

// Only a packed app is loaded before Electron is ready.
test('the program itself holds no driver of the graphics card', async ({ start }) => {
  const profile = mkdtempSync(path.join(tmpdir(), 'packed-profile-'))
  const app = await start([`--profile=${profile}`, '--secrets=file'])
  const maps = readFileSync(`/proc/${app.process.pid}/maps`, 'utf8')
  expect(maps.includes('libgtk-3')).toBe(true)
  const drivers = maps.match(/\S*(?:libLLVM|libgallium|libGLX_|_dri\.so)\S*/g) ?? []
  expect([...new Set(drivers)]).toEqual([])
  await app.close()
  rmSync(profile, { recursive: true, force: true })
})

test('with the mark beside the program everything is kept there, the key too, and nothing elsewhere', async ({
  copy,
  start,
}) => {
  const home = mkdtempSync(path.join(tmpdir(), 'packed-home-'))
  const mark = path.join(copy.folder, 'chat-gateway.portable')
  writeFileSync(mark, '')
  const places = { HOME: home, XDG_CONFIG_HOME: path.join(home, 'config') }
  const app = await start([], places)
  await app.page.getByRole('button', { name: 'Skip guide' }).waitFor()
  const kept = readdirSync(path.join(copy.folder, 'chat-gateway-data'))
  expect(kept).toEqual(expect.arrayContaining(['data', 'logs', 'root-key']))
  expect(existsSync(path.join(home, 'config', 'Chat Gateway'))).toBe(false)
  await app.close()
  rmSync(mark)
})
