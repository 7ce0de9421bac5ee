import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startModelHub, type ModelHub } from '../../server/testing/start-model-hub.ts'
import { createTinyModel } from '../../server/testing/write-tiny-model.ts'
import { addAccount, settleIn } from '../accounts.ts'
import { expect, test as base, type TestGateway } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { SettingsPage } from '../pages/settings-page.ts'

/** A gateway without connections, and a hub with a tiny model that it downloads from. */
const test = base.extend<{ hub: ModelHub; own: TestGateway; models: SettingsPage }>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  hub: async ({}, use) => {
    const hub = await startModelHub(createTinyModel({ contextLength: 512 }))
    await use(hub)
    await hub.close()
  },
  own: ({ startOwnGateway, hub }, use) =>
    startOwnGateway({
      OPENAI_API_BASE_URLS: '',
      OPENAI_API_KEYS: '',
      LLMHOST_BASE_URLS: '',
      MODEL_MIRRORS: hub.url,
      ENABLE_BUILT_IN_RUNTIME: 'true',
    }).then(use),
  models: async ({ page, own }, use) => {
    await settleIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
    const settings = new SettingsPage(page, own.url)
    await settings.open('local-models')
    await use(settings)
  },
})

const NAME = 'hub-tiny-q8_0'

test('a model is downloaded, rests, goes on and answers without another program', async ({
  models,
  hub,
  own,
}) => {
  const { page } = models
  await expect(page.getByText('No local models yet')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Suggested models' })).toContainText('Qwen3 0.6B')
  hub.pace = 150_000
  await page.getByLabel('Address or repository').fill(hub.repository)
  await page.getByRole('button', { name: 'Download', exact: true }).last().click()
  const downloads = page.getByRole('list', { name: 'Downloads' })
  await expect(downloads).toContainText('downloading')
  await expect(downloads).toContainText(/per second/)
  await page.getByRole('button', { name: `Pause the download of “${NAME}”` }).click()
  await expect(downloads).toContainText('paused')
  hub.pace = null
  await page.getByRole('button', { name: `Continue the download of “${NAME}”` }).click()
  const here = page.getByRole('list', { name: 'On this computer' })
  await expect(here).toContainText(NAME)
  await expect(here).toContainText('F32')
  expect(hub.ranges.at(-1)).toMatch(/^bytes=[1-9]/)

  const chat = new ChatPage(page, own.url)
  await chat.open()
  await chat.composer.fill('Hello river')
  await chat.composer.press('Enter')
  await expect(page.getByRole('article').last()).toContainText(
    /stone|river|roof|light|walks|bird|rains|green|quiet|sings|morning/,
    { timeout: 30_000 },
  )
})

test('a file that is none says so, and a model is deleted after a question', async ({
  models,
  own,
}) => {
  const { page } = models
  const folder = path.join(own.dataDir, 'models')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'page.gguf'), 'This is no model, whatever its name says.')
  writeFileSync(path.join(folder, 'small.gguf'), createTinyModel())
  await page.reload()
  const here = page.getByRole('list', { name: 'On this computer' })
  await expect(here).toContainText('This file is no model in the GGUF format.')
  await page.getByRole('button', { name: 'Delete “small”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(here).not.toContainText('small')
})

test('a file is added from the computer of the person', async ({ models }) => {
  const { page } = models
  const buffer = createTinyModel({ seed: 5 })
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add file…' }).click()
  await (
    await choosing
  ).setFiles({ name: 'Brought.gguf', mimeType: 'application/octet-stream', buffer })
  await expect(page.getByRole('list', { name: 'On this computer' })).toContainText('brought')
})

test('a file with another checksum than was promised is refused in words', async ({
  models,
  hub,
}) => {
  const { page } = models
  hub.promise = { sha256: createHash('sha256').update('another').digest('hex') }
  await page.getByLabel('Address or repository').fill(hub.repository)
  await page.getByRole('button', { name: 'Download', exact: true }).last().click()
  await expect(page.getByRole('list', { name: 'Downloads' })).toContainText('checksum differs')
})
