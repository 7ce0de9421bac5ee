import type { Page } from '@playwright/test'
import { addAccount, settleIn, signIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test as base, type TestGateway } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { FirstRunPage } from '../pages/first-run-page.ts'
import { SettingsPage } from '../pages/settings-page.ts'

/** A gateway without a connection, with the scripted provider on the same computer. */
const test = base.extend<{ own: TestGateway }>({
  own: ({ startOwnGateway, upstream }, use) =>
    startOwnGateway({
      OPENAI_API_BASE_URLS: '',
      OPENAI_API_KEYS: '',
      LOCAL_RUNTIME_PORTS: new URL(upstream.url).port,
    }).then(use),
})

const CLICKS = 'clicks of a person'

/** Counts the clicks of a user, across page loads. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript((key) => {
    addEventListener(
      'pointerdown',
      () => sessionStorage.setItem(key, String(Number(sessionStorage.getItem(key)) + 1)),
      true,
    )
  }, CLICKS)
  return () => page.evaluate((key) => Number(sessionStorage.getItem(key)), CLICKS)
}

test('from the first start to the first answer it takes three clicks where a runtime is there', async ({
  page,
  own,
}) => {
  const clicks = await countClicks(page)
  await signIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
  await page.goto(own.url)
  const guide = new FirstRunPage(page)
  await guide.nextButton.click()
  await expect(page.getByRole('region', { name: 'Found on this computer' })).toContainText(
    '2 models',
  )
  await page.getByRole('button', { name: /^Connect Port / }).click()
  await guide.startButton.click()
  const chat = new ChatPage(page, own.url)
  await expect(await chat.ask('/echo the first answer')).toContainText('the first answer')
  expect(await clicks()).toBeLessThanOrEqual(3)
})

test('without a runtime a provider is chosen by its mark and nothing but its key is pasted', async ({
  page,
  own,
}) => {
  await signIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
  await page.goto(own.url)
  const guide = new FirstRunPage(page)
  await guide.nextButton.click()
  await page.getByRole('searchbox', { name: 'Search programs and providers' }).fill('claude')
  await expect(page.getByRole('list', { name: 'Providers' }).getByRole('button')).toHaveText([
    /Anthropic$/,
    'Another provider',
  ])
  await page.getByRole('button', { name: 'Anthropic' }).click()
  await expect(guide.form.key).toBeFocused()
  await expect(page.getByRole('link', { name: 'Get an API key from Anthropic' })).toHaveAttribute(
    'href',
    /^https:\/\//,
  )
  await expect(guide.form.address).toBeHidden()
  await expect(page.locator('form')).toContainText('https://api.anthropic.com/v1')
  await expectAccessible(page, BOTH_SCHEMES)
})

test('an address is taken as it is pasted, and what is made of it is said', async ({
  page,
  own,
  upstream,
}) => {
  await settleIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
  const settings = new SettingsPage(page, own.url)
  await settings.open('connections')
  const form = await settings.startAddingConnection()
  await expect(form.address).toBeFocused()
  const { host } = new URL(upstream.url)
  await form.address.fill(`${host}/v1/chat/completions/`)
  await expect(form.root).toContainText(`Will be used as http://${host}/v1`)
  await form.address.press('Enter')
  await expect(settings.connection(host)).toContainText(`http://${host}/v1`)
  await expect(settings.connection(host)).toContainText('2 models')
})

test("a program of one's own is chosen beside the providers, and its address is all it needs", async ({
  page,
  own,
  upstream,
}) => {
  await settleIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
  const settings = new SettingsPage(page, own.url)
  await settings.open('connections')
  await page.getByRole('button', { name: 'Add connection' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add connection' })
  const runtimes = dialog.getByRole('list', { name: 'Programs that run models' })
  for (const name of ['Ollama', 'LM Studio', 'llama.cpp', 'vLLM'])
    await expect(runtimes.getByRole('button', { name, exact: true })).toBeVisible()
  await expect(runtimes.getByRole('button', { name: 'Ollama' }).locator('path')).toBeVisible()
  await expect(runtimes.getByRole('button', { name: 'llama.cpp' })).toContainText('Lc')
  await runtimes.getByRole('button', { name: 'vLLM', exact: true }).click()
  const address = dialog.getByLabel('Address', { exact: true })
  await expect(address).toBeFocused()
  await expect(address).toHaveValue('http://127.0.0.1:8000/v1')
  await expect(dialog).toContainText('Where the gateway reaches vLLM.')
  await expect(dialog.getByLabel('API key', { exact: true })).toBeHidden()
  await expectAccessible(page, BOTH_SCHEMES)
  await address.fill(new URL(upstream.url).host)
  await address.press('Enter')
  await expect(settings.connection('vLLM')).toContainText('2 models')
  await expect(settings.connection('vLLM')).not.toContainText('API key')
})

test('what was typed into a form is there again after it was closed', async ({ page, own }) => {
  await settleIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
  const settings = new SettingsPage(page, own.url)
  await settings.open('connections')
  await expect(page.getByRole('region', { name: 'Found on this computer' })).toBeVisible()
  const form = await settings.startAddingConnection()
  await form.address.fill('https://models.example')
  await form.key.fill('typed-once')
  await page.keyboard.press('Escape')
  await expect(form.root).toHaveCount(0)
  await settings.goTo('Account')
  await settings.goTo('Connections')
  await page.getByRole('button', { name: 'Add connection' }).click()
  await expect(form.address).toHaveValue('https://models.example')
  await expect(form.key).toHaveValue('typed-once')
  await expectAccessible(page, BOTH_SCHEMES)
  await form.root.getByRole('button', { name: 'Start over' }).click()
  await expect(form.address).toHaveValue('')
  await form.root.getByRole('button', { name: 'All programs and providers' }).click()
  await expect(form.root.getByRole('searchbox')).toBeFocused()
  await expect(form.root.getByRole('list', { name: 'Providers' })).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
})

test('settings are found by what people call them, stand on pages, and those changed stand together', async ({
  page,
  own,
}) => {
  await settleIn(page.context(), own, await addAccount(own, own.adminToken, 'admin'))
  const settings = new SettingsPage(page, own.url)
  await settings.open('account')
  await settings.searchBox.fill('register')
  await settings.pages.getByRole('link', { name: 'Let people create accounts' }).click()
  await expect(page).toHaveURL(/\/settings\/gateway\?find=ENABLE_SIGNUP$/)
  const found = settings.setting('ENABLE_SIGNUP')
  await expect(found).toContainText('Let people create accounts')
  await settings.searchBox.fill('UPSTREAM_IDLE')
  await expect(
    settings.pages.getByRole('link', { name: 'Longest pause in an answer' }),
  ).toBeVisible()
  await settings.searchBox.fill('')
  await settings.goTo('Gateway')
  const parts = page.getByRole('navigation', { name: 'All settings' })
  await parts.getByRole('link', { name: /^Request log/ }).click()
  const size = settings.setting('REQUEST_LOG_SIZE')
  await size.getByRole('spinbutton').fill('150')
  await size.getByRole('button', { name: 'Save' }).click()
  await expect(settings.note('Saved. It takes effect at once.')).toBeVisible()
  await expect(size).toContainText('In effect now.')
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByRole('link', { name: 'All settings' }).click()
  const changed = page.getByRole('region', { name: 'Changed from default' })
  await expect(changed).toContainText('Calls kept in the log')
  await expectAccessible(page, BOTH_SCHEMES)
  await changed.getByRole('button', { name: 'Reset Calls kept in the log' }).click()
  await expect(changed.getByText('REQUEST_LOG_SIZE')).toHaveCount(0)
})
