import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { startFakeRuntime } from '../../server/testing/fake-upstream/fake-runtime.ts'
import { createTinyModel } from '../../server/testing/write-tiny-model.ts'
import { addAccount, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { KnowledgePage } from '../pages/knowledge-page.ts'
import { VIEWS } from '../views.ts'

const rules = {
  name: 'rules.md',
  mimeType: 'text/markdown',
  content: '# House rules\n\nQuiet after ten in the evening.',
}

async function openSettings(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/settings/documents`)
  await page.getByRole('radio', { name: 'Built-in engine' }).waitFor()
}

const row = (page: Page, label: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: label })

test('a question is tried with other values, and documents are prepared again', async ({
  startOwnGateway,
  page,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  await openSettings(page, gateway.url)
  await expect(page.getByText('No collection has files yet')).toBeVisible()
  await expect(page.getByText('About half')).toBeHidden()
  await page.getByText('What the built-in engine finds').click()
  await expect(page.getByText('About half')).toBeVisible()
  const knowledge = new KnowledgePage(page, gateway.url)
  await knowledge.create('House')
  await knowledge.add(rules)
  await expect(knowledge.row('rules.md')).toBeVisible()
  await openSettings(page, gateway.url)
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('When must it be quiet?')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(knowledge.passages.first()).toContainText('Quiet after ten')
  await page.getByRole('spinbutton', { name: 'Minimum relevance' }).first().fill('1')
  await expect(page.getByRole('main').getByText('No passages match this question')).toBeVisible()
  await page.getByRole('combobox', { name: 'Search by' }).selectOption('vector')
  await page.getByRole('spinbutton', { name: 'Minimum relevance' }).first().fill('0')
  await expect(knowledge.passages.first()).toContainText('Quiet after ten')
  await page.getByRole('button', { name: 'Index all again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Index all again' }).click()
  await expect(page.getByText('1 of 1')).toBeVisible()
  await page.getByRole('button', { name: 'Check index' }).click()
  await expect(page.getByText('The index is complete: 1 passages.')).toBeVisible()
})

test('an engine is tested before it is used; one that does not answer changes nothing', async ({
  startOwnGateway,
  page,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  await openSettings(page, gateway.url)
  await page.getByRole('button', { name: 'Test' }).click()
  await expect(page.getByText(/^Connected: \d+ dimensions/)).toBeVisible()
  await page.getByRole('radio', { name: 'Another endpoint' }).check()
  await page.getByRole('textbox', { name: 'Model', exact: true }).first().fill('some-model')
  await page
    .getByRole('textbox', { name: 'Address', exact: true })
    .first()
    .fill('http://127.0.0.1:9/v1')
  await page.getByRole('button', { name: 'Test' }).click()
  await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Built-in engine' })).toBeChecked()
})

test('a model of the runtime takes over with one click, and documents are prepared again for it', async ({
  startOwnGateway,
  page,
}) => {
  const runtime = await startFakeRuntime({ embeddingModels: ['nomic-embed'] })
  try {
    const gateway = await startOwnGateway({ LLMHOST_BASE_URLS: runtime.url })
    await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
    const knowledge = new KnowledgePage(page, gateway.url)
    await knowledge.create('House')
    await knowledge.add(rules)
    await expect(knowledge.row('rules.md')).toBeVisible()
    await openSettings(page, gateway.url)
    await page.getByRole('button', { name: 'Use nomic-embed' }).click()
    await expect(page.getByRole('radio', { name: 'A model in your local runtime' })).toBeChecked()
    await expect(page.getByRole('main').getByRole('definition').first()).toHaveText('nomic-embed')
    await expect(page.getByText('1 of 1')).toBeVisible()
    await page
      .getByRole('textbox', { name: 'Question', exact: true })
      .fill('When must it be quiet?')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(knowledge.passages.first()).toContainText('Quiet after ten')
  } finally {
    await runtime.close()
  }
})

test('a model that ranks passages is used after one click, and offered no more', async ({
  startOwnGateway,
  page,
}) => {
  const gateway = await startOwnGateway({ ENABLE_BUILT_IN_RUNTIME: 'true', LLMHOST_BASE_URLS: '' })
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  const use = page.getByRole('button', { name: 'Use tiny-rank' })
  await openSettings(page, gateway.url)
  const ranking = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Reranking', exact: true }) })
  const model = ranking.getByRole('textbox', { name: 'Model', exact: true })
  await expect(model).toHaveValue('')
  await expect(use).toHaveCount(0)
  const folder = path.join(gateway.dataDir, 'models')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'tiny-rank.gguf'), createTinyModel({ pooling: 'rank' }))
  await fetch(`${gateway.url}/api/models?refresh=true`, {
    headers: { Authorization: `Bearer ${gateway.adminToken}` },
  })
  await page.reload()
  await expect(page.getByText('You have models that rank passages')).toBeVisible()
  await use.click()
  await expect(use).toHaveCount(0)
  await expect(model).toHaveValue('tiny-rank')
  const knowledge = new KnowledgePage(page, gateway.url)
  await knowledge.create('House')
  await knowledge.add(rules)
  await expect(knowledge.row('rules.md')).toBeVisible()
  await openSettings(page, gateway.url)
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('When must it be quiet?')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(knowledge.passages.first()).toContainText('Quiet after ten', { timeout: 30_000 })
})

test('values say whether they were changed, and go back; the template is tried and reset', async ({
  startOwnGateway,
  page,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  await openSettings(page, gateway.url)
  const count = row(page, 'Passages per question')
  await expect(count).toContainText('default')
  await count.getByRole('spinbutton').fill('7')
  await count.getByRole('button', { name: 'Save' }).click()
  await expect(count).toContainText('changed here')
  await count.getByRole('button', { name: 'Reset Passages per question' }).click()
  await expect(count.getByRole('spinbutton')).toHaveValue('3')
  const template = page.getByRole('textbox', { name: 'Template' })
  await template.fill('Only these: {{CONTEXT}} Question: {{QUERY}}')
  await page.getByText('Preview with sample').click()
  await expect(page.getByRole('region', { name: 'Preview with sample' })).toContainText(
    'Question: How is the pump cleaned?',
  )
  await page.locator('form', { has: template }).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Reset to default' }).click()
  await expect(template).toHaveValue(/Answer the question with the help/)
})

for (const view of VIEWS) {
  test.describe(`in ${view.name}`, () => {
    test.use({ viewport: { width: view.width, height: 800 } })

    test('the settings of documents have no accessibility fault', async ({ chat }) => {
      await openSettings(chat.page, chat.url)
      await chat.page.getByRole('radio', { name: 'Another endpoint' }).check()
      await expectAccessible(chat.page, view.schemes)
      expect(
        await chat.page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
      ).toBe(false)
    })
  })
}
