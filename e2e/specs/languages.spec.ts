import type { Page } from '@playwright/test'
import { addAccount, settleIn, signIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { SignInPage } from '../pages/sign-in-page.ts'

/** English laid out from right to left, as there are no strings for this language. */
const MIRRORED = 'ar-XB'
const WIDTHS = [1280, 390]
const PLACES = [
  '/',
  '/settings/appearance',
  '/settings/connections',
  '/settings/gateway',
  '/settings/users',
  '/settings/requests',
  '/workspace/models',
  '/workspace/knowledge',
  '/workspace/prompts',
  '/workspace/notes',
  '/archived',
]

/** Stores a language with the account, as choosing it in the settings does. */
async function keepLanguage(page: Page, url: string, language: string): Promise<void> {
  const reply = await page.context().request.post(`${url}/api/v1/users/user/settings/update`, {
    data: { ui: { welcomed: true, language } },
  })
  expect(reply.ok()).toBe(true)
}

/** Returns how much wider the page is than its window. */
const overflowOf = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })

test.describe('from right to left', () => {
  for (const width of WIDTHS) {
    test(`every place is mirrored at ${width} pixels, scrolls only down and has no fault for readers`, async ({
      page,
      gateway,
      account,
    }) => {
      test.slow()
      await settleIn(page.context(), gateway, account)
      await keepLanguage(page, gateway.url, MIRRORED)
      await page.setViewportSize({ width, height: 844 })
      for (const place of PLACES) {
        await page.goto(`${gateway.url}${place}`)
        await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
        await expect(page.locator('h1, textarea').first()).toBeVisible()
        expect(await overflowOf(page), place).toBe(0)
        await expectAccessible(page, ['light'])
      }
    })
  }
})

test('in a conversation from right to left code stays as it is written, and each text has its own direction', async ({
  page,
  gateway,
  account,
}) => {
  await settleIn(page.context(), gateway, account)
  await keepLanguage(page, gateway.url, MIRRORED)
  await page.goto(gateway.url)
  const box = page.locator('textarea').first()
  // Messages can be sent once there is a model.
  await page.getByRole('button', { name: /text/ }).first().waitFor()
  await box.fill('/markdown')
  await box.press('Enter')
  const code = page.locator('article pre').first()
  await code.waitFor()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    expect(await overflowOf(page)).toBe(0)
  }
  expect(await code.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr')
  const english = page.locator('article p', { hasText: /[a-z]{3}/ }).first()
  expect(await english.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr')
  await expectAccessible(page, ['light'])
})

test('the page for signing in speaks the language of the browser, or the one chosen there, and keeps what was typed', async ({
  page,
  gateway,
}) => {
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  const email = page.locator('input[name="email"]')
  await email.fill('grace@example.com')
  const languages = page.getByRole('combobox', { name: 'Language' })
  await expect(languages.getByRole('option', { name: 'English', exact: true })).toBeAttached()
  await page.evaluate((language) => localStorage.setItem('language', language), MIRRORED)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await email.fill('grace@example.com')
  await page.locator('select').selectOption('en')
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
  await expect(email).toHaveValue('grace@example.com')
})

test('a language chosen in the settings follows the person to another browser, and what is being written stays', async ({
  page,
  gateway,
  browser,
}) => {
  const account = await addAccount(gateway, gateway.adminToken, 'user')
  await settleIn(page.context(), gateway, account)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await chat.composer.fill('half a thought')
  await page.goto(`${gateway.url}/settings/appearance`)
  await expect(page.getByLabel('Language')).toHaveValue('')
  const isSaved = page.waitForResponse((response) => response.url().endsWith('/settings/update'))
  await page.getByLabel('Language').selectOption('en')
  await isSaved
  await page.goto(gateway.url)
  await expect(chat.composer).toHaveValue('half a thought')
  const other = await browser.newContext({ locale: 'fr-FR' })
  await signIn(other, gateway, account)
  const there = await other.newPage()
  await there.goto(gateway.url)
  await expect(there.locator('html')).toHaveAttribute('lang', 'en')
  await other.close()
})

for (const language of ['es', 'pt-BR']) {
  test(`no name of a settings page is cut off in ${language}`, async ({ page, gateway }) => {
    const account = await addAccount(gateway, gateway.adminToken, 'admin')
    await settleIn(page.context(), gateway, account)
    await keepLanguage(page, gateway.url, language)
    await page.goto(`${gateway.url}/settings/appearance`)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const links = page.locator('nav a[href*="/settings/"]')
      const folded = page.locator('nav button[aria-expanded=false]').filter({ visible: true })
      // On a phone the first one unfolds the list, the others its topics.
      while ((await folded.count()) > 0) await folded.first().click()
      await expect(links.first()).toBeVisible()
      const cut = await links
        .locator('span')
        .evaluateAll((labels) =>
          labels
            .filter(
              ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
                scrollWidth > clientWidth || scrollHeight > clientHeight + 1,
            )
            .map(({ textContent }) => textContent),
        )
      expect(cut, `${language} at ${width} pixels`).toEqual([])
    }
  })
}

test('a refusal is said in the language of the person, with the name it is about', async ({
  page,
  gateway,
}) => {
  const account = await addAccount(gateway, gateway.adminToken, 'user')
  await settleIn(page.context(), gateway, account)
  await keepLanguage(page, gateway.url, 'de')
  const data = { name: 'Müll & Mehr' }
  await page.context().request.post(`${gateway.url}/api/v1/folders/`, { data })
  await page.goto(gateway.url)
  await page.getByRole('button', { name: 'Neuer Ordner' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').first().fill(data.name)
  await page.keyboard.press('Enter')
  const refusal = page.getByText('Hier gibt es schon einen Ordner namens „Müll & Mehr“.')
  await expect(refusal.first()).toBeVisible()
})
