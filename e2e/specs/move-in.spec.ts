import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { addAccount, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test as base, type TestGateway } from '../fixtures.ts'

const HOSTILE = '<img src=x onerror="document.title=1"> chat'

/** Writes a database as Open WebUI stores it, with two chats and a prompt. */
function writeStore(home: string): string {
  const file = path.join(home, '.open-webui', 'webui.db')
  mkdirSync(path.dirname(file))
  const sqlite = new Sqlite(file)
  sqlite.exec(
    'create table user (id text, email text); create table prompt (command text, user_id text, title text, content text);' +
      'create table folder (id text, parent_id text, user_id text, name text);' +
      'create table chat (id text, user_id text, title text, chat json, created_at bigint, updated_at bigint, archived boolean, pinned boolean, meta json, folder_id text);' +
      "insert into user values ('u1', 'ada@example.com'); insert into prompt values ('/hi', 'u1', 'Greeting', 'Hello');" +
      "insert into folder values ('f1', null, 'u1', 'Trips')",
  )
  const messages = {
    q: { id: 'q', parentId: null, childrenIds: [], role: 'user', content: 'Where to?' },
  }
  const insert = sqlite.prepare("insert into chat values (?, 'u1', ?, ?, ?, ?, 0, 0, '{}', ?)")
  for (const [id, title, folder] of [
    ['c1', 'Summer in the north', 'f1'],
    ['c2', HOSTILE, null],
  ])
    insert.run(
      id,
      title,
      JSON.stringify({ title, history: { currentId: 'q', messages } }),
      1_700_000_000,
      1_700_000_000,
      folder,
    )
  sqlite.close()
  return file
}

const test = base.extend<{ home: string; own: TestGateway }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from it
  home: async ({}, use) => {
    const home = mkdtempSync(path.join(tmpdir(), 'home-'))
    await use(home)
    rmSync(home, { recursive: true, force: true })
  },
  own: async ({ startOwnGateway, page, home }, use) => {
    const own = await startOwnGateway({ HOME: home })
    await settleIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
    await use(own)
  },
})

test('chats of another program are found, looked at, brought and taken back', async ({
  page,
  own,
  home,
}) => {
  const file = writeStore(home)
  const before = readFileSync(file)
  const searches: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/imports/programs')) searches.push(request.method())
  })
  await page.goto(`${own.url}/settings/data`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'Move in from another program' })).toBeVisible()
  expect(searches).toEqual([])
  await main.getByRole('button', { name: 'Look for other programs' }).click()
  await expect(main.getByRole('list', { name: 'Programs found' })).toContainText(file)
  await expectAccessible(page)
  await page.screenshot({ path: 'out/test-results/move-in-light.png', fullPage: true })
  await main.getByRole('button', { name: 'Look inside Open WebUI' }).click()
  await expect(main.getByText('2 chats from Open WebUI')).toBeVisible()
  await expect(main.getByText('Import 1 prompt to the prompt library')).toBeVisible()
  await main.getByText('Show prompts').click()
  await expect(main.getByText('Greeting')).toBeVisible()
  await expectAccessible(page)
  await expect(main.getByText(HOSTILE)).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: 'out/test-results/move-in-dark-narrow.png', fullPage: true })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await main.getByRole('button', { name: 'Import 2 chats' }).click()
  await expect(main.getByText('Import finished')).toBeVisible()
  await expect(main.getByText('1 new prompt')).toBeVisible()
  await main.getByRole('button', { name: 'Import another file' }).click()
  await main.getByRole('button', { name: 'Look for other programs' }).click()
  await main.getByRole('button', { name: 'Look inside Open WebUI' }).click()
  await expect(main.getByRole('button', { name: 'Already imported 2' })).toBeVisible()
  await main.getByRole('button', { name: 'Cancel' }).click()
  await main.getByRole('button', { name: /^Undo the import from Open WebUI/ }).click()
  await expect(
    page.getByText('2 chats were moved to the trash. 1 prompt was deleted.').first(),
  ).toBeVisible()
  await expect(main.getByText('Earlier imports')).toBeHidden()
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('a member is not offered to look at the computer of the gateway', async ({ page, own }) => {
  await page.context().clearCookies()
  await settleIn(page.context(), own, await addAccount(own, own.adminToken, 'user'))
  await page.goto(`${own.url}/settings/data`)
  await expect(page.getByText('Drop an export file here')).toBeVisible()
  await expect(page.getByText('Move in from another program')).toBeHidden()
})
