import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { expectAccessible } from '../find-faults.ts'

/** Holds requests of the page back until the returned function is called. */
async function holdBack(page: Page, pattern: string | RegExp): Promise<() => void> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(pattern, async (route) => {
    await released
    await route.continue().catch(() => undefined)
  })
  return release
}

test('a chat that is being opened shows its shape, then its title, and never the name of a new one', async ({
  chat,
}) => {
  const { page } = chat
  await chat.open()
  await chat.ask('/echo shapes')
  const path = chat.path()
  const release = await holdBack(page, /\/api\/v1\/chats\//)
  await page.goto(chat.url + path)
  await expect(page.getByText('Loading the chat')).toBeAttached()
  const head = page.locator('main header')
  await expect(head.getByText('New chat')).toHaveCount(0)
  const shapes = page.locator('main .animate-late .bg-hover')
  await expect(shapes.first()).toBeVisible()
  await expectAccessible(page)
  release()
  await expect(head.getByRole('heading', { level: 1 })).toContainText('/echo shapes')
  await expect(page.getByText('Loading the chat')).toHaveCount(0)
})

test('a start shows the frame of the window in grey, where the window then is', async ({
  chat,
}) => {
  const { page } = chat
  await chat.open()
  const release = await holdBack(page, /\/api\//)
  await page.reload({ waitUntil: 'commit' })
  const frame = page.locator('#start-frame')
  await expect(frame).toBeVisible()
  const width = (await frame.locator('.start-sidebar').boundingBox())!.width
  const box = (await frame.locator('.rounded-composer').boundingBox())!
  release()
  await expect(chat.composer).toBeVisible()
  await expect(frame).toHaveCount(0)
  expect((await page.locator('aside').boundingBox())!.width).toBe(width)
  const form = (await page.locator('form').filter({ has: chat.composer }).boundingBox())!
  for (const side of ['x', 'y', 'width', 'height'] as const)
    expect(Math.abs(form[side] - box[side]), side).toBeLessThan(20)
})

test('a browser without a session sees no frame', async ({ browser, gateway }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const release = await holdBack(page, /\/api\//)
  await page.goto(gateway.url, { waitUntil: 'commit' })
  await page.getByText('Loading').first().waitFor({ state: 'attached' })
  await expect(page.locator('#start-frame')).toBeHidden()
  release()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await context.close()
})
