import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addAccount, addConnection, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test as base, type TestGateway } from '../fixtures.ts'
import { SettingsPage } from '../pages/settings-page.ts'

const test = base.extend<{ own: TestGateway }>({
  own: async ({ startOwnGateway, page }, use) => {
    const own = await startOwnGateway({ OPENAI_API_BASE_URLS: '', OPENAI_API_KEYS: '' })
    await settleIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
    await use(own)
  },
})

const addMine = (own: TestGateway, fields: { url: string; key: string }): Promise<void> =>
  addConnection(own, own.adminToken, { name: 'Mine', ...fields })

/** Starts a provider that requires a key and serves below /v1. */
async function startProvider(key: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${key}`
    const status = request.url !== '/v1/models' ? 404 : isKnown ? 200 : 401
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? { data: [{ id: 'large' }] } : { error: 'no' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  }
}

test('a connection with two faults is led to the end, one button after another', async ({
  page,
  own,
}) => {
  const provider = await startProvider('sk-right-key-0123456789')
  await addMine(own, { url: provider.url, key: 'sk-wrong-key-0123456789' })
  await page.goto(`${own.url}/settings/connections`)
  await page.getByRole('link', { name: 'Find the cause' }).click()
  const result = page.getByRole('region', { name: 'Result of the check' })
  await expect(result).toContainText('1 of 10 checks failed.')
  await expect(result).toContainText('Step: Answer.')
  const steps = page.getByRole('list', { name: 'All 10 checks' })
  await expect(steps).toBeHidden()
  await expectAccessible(page)
  await page.getByText('All 10 checks').click()
  await expect(steps.locator('[data-step=answer]')).toHaveAttribute('data-verdict', 'bad')
  await expect(steps.locator('[data-step=key]')).toHaveAttribute('data-verdict', 'waiting')
  await page.screenshot({ path: 'out/test-results/doctor-light.png', fullPage: true })
  await expectAccessible(page)
  await page.getByRole('button', { name: `Use ${provider.url}/v1` }).click()
  await expect(result).toContainText('The server does not know the key (status 401).')
  await expect(result).toBeFocused()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: 'out/test-results/doctor-dark-narrow.png', fullPage: true })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByLabel('New API key').fill('sk-right-key-0123456789')
  await page.getByRole('button', { name: 'Save key and check' }).click()
  await expect(page.getByRole('main').getByText('Everything works.')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('main').getByText('Everything works.')).toBeVisible()
  expect(await page.content()).not.toContain('sk-right-key')
  provider.close()
})

test('a refused key is named in the list, and changed in the form that its check leads to', async ({
  page,
  own,
}) => {
  const provider = await startProvider('sk-right-key-0123456789')
  await addMine(own, { url: `${provider.url}/v1`, key: 'sk-wrong-key-0123456789' })
  const settings = new SettingsPage(page, own.url)
  await settings.open('connections')
  const card = settings.connection('Mine')
  await expect(card).toContainText('key refused')
  await expectAccessible(page, BOTH_SCHEMES)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(card.getByRole('button', { name: 'Edit “Mine”' })).toBeInViewport()
  await expectAccessible(page)
  await page.screenshot({ path: 'out/test-results/connections-narrow.png' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.screenshot({ path: 'out/test-results/connections-light.png' })
  await card.getByRole('link', { name: 'Find the cause' }).click()
  await page.getByRole('button', { name: 'Edit connection' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit “Mine”' })
  await expect(dialog.getByLabel('API key', { exact: true })).toBeFocused()
  await page.keyboard.type('sk-right-key-0123456789')
  await expect(dialog).toContainText('Mine refused the stored key (today, ')
  await expectAccessible(page, BOTH_SCHEMES)
  await dialog.getByRole('button', { name: 'Save and test' }).click()
  const repaired = page.getByRole('dialog', { name: '“Mine” works' })
  await expect(repaired).toContainText('1 model available')
  await expect(repaired.getByRole('button', { name: 'Back to the chat' })).toBeVisible()
  await repaired.getByRole('button', { name: 'Done' }).click()
  await expect(card).toContainText('1 model')
  await expect(page).toHaveURL(`${own.url}/settings/connections`)
  provider.close()
})

test('the form of a connection finds the cause before anything is saved', async ({ page, own }) => {
  const provider = await startProvider('none')
  const settings = new SettingsPage(page, own.url)
  await settings.open('connections')
  const form = await settings.startAddingConnection()
  await form.address.fill(`${provider.url}/elsewhere`)
  await form.verify()
  await form.root.getByRole('button', { name: 'Find the cause' }).click()
  await expect(form.root.getByText('1 of 10 checks failed.')).toBeVisible()
  provider.close()
})

test('a failed answer leads to the step that is about it', async ({ page, own }) => {
  const provider = await startProvider('sk-right-key-0123456789')
  await addMine(own, { url: `${provider.url}/v1`, key: 'sk-right-key-0123456789' })
  await page.goto(`${own.url}/settings/doctor?connection=Mine&step=key`)
  const step = page.locator('[data-step=key]')
  await expect(step).toHaveAttribute('aria-current', 'step')
  await expect(step).toHaveAttribute('data-verdict', 'good')
  provider.close()
})
