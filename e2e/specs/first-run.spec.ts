import { addAccount, settleIn, signIn } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { FirstRunPage } from '../pages/first-run-page.ts'
import { SettingsPage } from '../pages/settings-page.ts'

test('the guide leads through three steps, back and forth, and never comes again', async ({
  page,
  gateway,
  account,
}) => {
  await signIn(page.context(), gateway, account)
  const guide = new FirstRunPage(page)
  await page.goto(gateway.url)
  await expect(guide.progress(1)).toBeAttached()
  await expect(page.getByText('Your chats stay with you')).toBeVisible()
  await guide.nextButton.click()
  await expect(guide.progress(2)).toBeAttached()
  await expect(guide.heading).toHaveText('Connect a model')
  await expect(guide.heading).toBeFocused()
  await page.setViewportSize({ width: 390, height: 700 })
  await expect(guide.skipButton).toHaveCount(0)
  for (const button of [guide.nextButton, guide.backButton])
    await expect(button).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1280, height: 800 })
  await guide.backButton.click()
  await expect(guide.progress(1)).toBeAttached()
  await guide.nextButton.click()
  await guide.nextButton.click()
  await expect(guide.heading).toHaveText('Make it yours')
  await page.getByRole('radio', { name: 'Dark', exact: true }).check()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('radio', { name: 'Compact' }).check()
  await guide.startButton.click()
  const chat = new ChatPage(page, gateway.url)
  await expect(chat.composer).toBeVisible()
  await saved(page)
  await chat.open()
  await expect(guide.skipButton).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
})

/**
 * Waits until the choices are stored with the account, which happens a moment after they are made.
 */
async function saved(page: ChatPage['page']): Promise<void> {
  await expect
    .poll(async () => {
      const response = await page
        .context()
        .request.get(new URL('/api/v1/users/user/settings', page.url()).href)
      return ((await response.json()) as { ui?: { welcomed?: boolean } } | null)?.ui?.welcomed
    })
    .toBe(true)
}

test('the guide can be skipped as a whole', async ({ page, gateway, account }) => {
  await signIn(page.context(), gateway, account)
  await page.goto(gateway.url)
  await new FirstRunPage(page).skip()
  const chat = new ChatPage(page, gateway.url)
  await expect(chat.composer).toBeVisible()
  await saved(page)
  await page.reload()
  await expect(chat.composer).toBeVisible()
})

test('a provider is tried and added in the guide, and its models are there at once', async ({
  page,
  startOwnGateway,
  upstream,
  browser,
}) => {
  const own = await startOwnGateway({ OPENAI_API_BASE_URLS: '', OPENAI_API_KEYS: '' })
  const person = await addAccount(own, own.adminToken, 'admin')
  await signIn(page.context(), own, person)
  await page.goto(own.url)
  const guide = new FirstRunPage(page)
  await guide.nextButton.click()
  await expect(page.getByText('No model runtime was found on this computer.')).toBeVisible()
  await page.getByRole('button', { name: 'Another provider' }).click()
  await guide.form.address.fill('http://127.0.0.1:9')
  await guide.form.verify()
  await expect(guide.form.result).toContainText('nothing is listening at its address')
  await guide.form.address.fill(upstream.url)
  await guide.form.verify()
  await expect(guide.form.result).toContainText('2 models available')
  await expect(page.getByRole('radio', { name: 'Everyone signed in' })).toBeChecked()
  await guide.form.saveButton.click()
  await expect(guide.progress(3)).toBeAttached()
  await guide.startButton.click()
  const chat = new ChatPage(page, own.url)
  await chat.chooseModel('text')
  await expect(await chat.ask('/echo it works')).toContainText('it works')
  // Members can use the model too, without further steps.
  const member = await browser.newContext()
  await settleIn(member, own, await addAccount(own, own.adminToken, 'user'))
  const members = new ChatPage(await member.newPage(), own.url)
  await members.open()
  await expect(await members.ask('/echo for everybody')).toContainText('for everybody')
  await member.close()
})

test('a model that is connected already is taken with the one main button of the guide', async ({
  page,
  gateway,
  account,
}) => {
  await signIn(page.context(), gateway, account)
  await page.goto(gateway.url)
  const guide = new FirstRunPage(page)
  await guide.nextButton.click()
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(guide.heading).toHaveText('Make it yours')
})

test('who may not connect models gets a guide of two steps', async ({ page, gateway }) => {
  await signIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'user'))
  await page.goto(gateway.url)
  const guide = new FirstRunPage(page)
  await expect(guide.progress(1, 2)).toBeAttached()
  await guide.nextButton.click()
  await expect(guide.heading).toHaveText('Make it yours')
  await guide.startButton.click()
  await expect(new ChatPage(page, gateway.url).composer).toBeVisible()
  await saved(page)
  const settings = new SettingsPage(page, gateway.url)
  await settings.open('connections')
  await expect(settings.heading).toHaveText('Account')
})

test('on phones a step takes the whole width, with its main button at the thumb', async ({
  browser,
  gateway,
  account,
}) => {
  for (const width of [320, 390]) {
    const context = await browser.newContext({
      viewport: { width, height: 640 },
      hasTouch: true,
      isMobile: true,
    })
    await signIn(context, gateway, account)
    const page = await context.newPage()
    const guide = new FirstRunPage(page)
    await page.goto(gateway.url)
    for (const step of [1, 2, 3]) {
      await expect(guide.progress(step)).toBeAttached()
      await expect(page.getByRole('button', { name: 'Not now' })).toHaveCount(0)
      const main = step === 3 ? guide.startButton : guide.nextButton
      const box = (await main.boundingBox())!
      expect(box.y + box.height).toBeGreaterThan(640 - 24)
      expect(box.height).toBeGreaterThanOrEqual(44)
      expect(box.width).toBeGreaterThan(width * 0.4)
      expect((await guide.heading.boundingBox())!.x).toBeLessThanOrEqual(16)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      if (step < 3) await main.click()
    }
    await context.close()
  }
})
