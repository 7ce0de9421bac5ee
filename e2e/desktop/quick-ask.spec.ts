import type { Page } from '@playwright/test'
import { ChatPage } from '../pages/chat-page.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, shareApp, takePicture, test, type DesktopApp } from './desktop-app.ts'

const sharedApp = shareApp()

/** Opens the small window for a quick question, as the menu does. */
const press = (app: DesktopApp): Promise<void> =>
  app.electron.evaluate(
    ({ Menu }) => void Menu.getApplicationMenu()!.getMenuItemById('quickAsk')!.click(),
  )

const isShown = (app: DesktopApp): Promise<boolean> =>
  app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (window) => window.webContents.getURL().endsWith('/quick') && window.isVisible(),
    ),
  )

/** Opens the small window; resolves with its page once text can be entered. */
async function openQuick(app: DesktopApp): Promise<{ page: Page; chat: ChatPage }> {
  const known = app.electron.windows().find((page) => page.url().endsWith('/quick'))
  const opened = known ?? (await Promise.all([app.electron.waitForEvent('window'), press(app)]))[0]
  if (known && !(await isShown(app))) await press(app)
  await opened.waitForURL('**/quick')
  const chat = new ChatPage(opened, app.gateway().url)
  await chat.ready()
  return { page: opened, chat }
}

test('a quick question is answered in a small window, goes on in the main one, and Escape hides it', async () => {
  const app = sharedApp()
  const { page, chat } = await openQuick(app)
  await expect(chat.composer).toBeFocused()
  await takePicture(page, 'quick-ask-empty')
  await expectAccessible(page, BOTH_SCHEMES)
  const answer = await chat.ask('How do I connect a model?')
  await expect(answer).toContainText(/not an AI/i)
  await takePicture(page, 'quick-ask-answer')
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByRole('button', { name: 'Continue in the app' }).click()
  await expect.poll(() => isShown(app)).toBe(false)
  await expect(app.chat.userMessages.last()).toContainText('How do I connect a model?')
  expect(app.chat.path()).toMatch(/^\/c\//)

  await press(app)
  await expect.poll(() => isShown(app)).toBe(true)
  await expect(chat.userMessages).toHaveCount(0)
  await chat.composer.press('Escape')
  await expect.poll(() => isShown(app)).toBe(false)
})

test('what is asked temporarily is not stored, and cannot go on in the app before it is', async () => {
  const app = sharedApp()
  const { page, chat } = await openQuick(app)
  const before = await app.chat.chatList.getByRole('link').count()
  await page.getByRole('button', { name: 'Temporary' }).click()
  await chat.ask('Say nothing of this.')
  await expect(page.getByRole('button', { name: 'Continue in the app' })).toBeDisabled()
  await expect(app.chat.chatList.getByRole('link')).toHaveCount(before)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Continue in the app' })).toBeEnabled()
  await expect(app.chat.chatList.getByRole('link')).toHaveCount(before + 1)
  expect(new URL(page.url()).pathname).toBe('/quick')
})

test('a pasted picture goes along with the question', async () => {
  const app = sharedApp()
  const { page, chat } = await openQuick(app)
  await page.getByRole('button', { name: 'New question' }).click()
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(16, 16)
    canvas.getContext('2d')!.fillRect(0, 0, 16, 16)
    const picture = await canvas.convertToBlob({ type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
  })
  await chat.composer.focus()
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().endsWith('/quick'))!
      .webContents.paste(),
  )
  await expect(
    page.getByRole('img', { name: /png/i }).or(page.getByText(/\.png/)).first(),
  ).toBeVisible()
})

test('the small window is there within 100 ms once it was made', async () => {
  const app = sharedApp()
  const { page } = await openQuick(app)
  const times: { shown: number; drawn: number }[] = []
  for (let round = 0; round < 5; round += 1) {
    await page.keyboard.press('Escape')
    await expect.poll(() => isShown(app)).toBe(false)
    times.push(
      await app.electron.evaluate(async ({ BrowserWindow, Menu }) => {
        const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
          webContents.getURL().endsWith('/quick'),
        )!
        const begun = performance.now()
        const whenShown = new Promise<number>((resolve) =>
          window.once('show', () => resolve(performance.now() - begun)),
        )
        Menu.getApplicationMenu()!.getMenuItemById('quickAsk')!.click()
        const shown = await whenShown
        await window.webContents.capturePage()
        return { shown: Math.round(shown), drawn: Math.round(performance.now() - begun) }
      }),
    )
  }
  process.stdout.write(`quick question, from the menu: ${JSON.stringify(times)} ms\n`)
  const median = times.map(({ drawn }) => drawn).toSorted((one, other) => one - other)[2]!
  expect(median).toBeLessThan(100)
})

test('the keys are chosen by pressing them; keys that are taken are told', async () => {
  const app = sharedApp()
  await app.page.goto(`${app.gateway().url}/settings/desktop`)
  await app.page.getByRole('button', { name: 'Choose keys' }).click()
  await app.page.keyboard.press('Shift+KeyB')
  await expect(app.page.getByRole('status').filter({ hasText: 'together with' })).toBeVisible()
  await app.page.keyboard.press('Alt+Shift+KeyJ')
  await expect(app.page.getByText('These keys open the quick question')).toBeVisible()
  expect(
    await app.electron.evaluate(({ globalShortcut }) => globalShortcut.isRegistered('Alt+Shift+J')),
  ).toBe(true)
  await takePicture(app.page, 'desktop-settings')
  await expectAccessible(app.page, BOTH_SCHEMES)
  await app.page.getByRole('button', { name: 'Choose keys' }).click()
  await app.page.keyboard.press('ControlOrMeta+KeyN')
  await expect(app.page.getByText('already uses these keys')).toBeVisible()
  expect(
    await app.electron.evaluate(({ globalShortcut }) => globalShortcut.isRegistered('Alt+Shift+J')),
  ).toBe(false)
  await app.page.getByRole('button', { name: 'Remove shortcut' }).click()
  await expect(app.page.getByText('No shortcut')).toBeVisible()
})
