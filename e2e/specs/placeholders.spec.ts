import type { Page } from '@playwright/test'
import { addAccount, settleIn } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

/** Heights of the first two rows of the list, or of its placeholder. */
const heightsOf = (page: Page, rows: string): Promise<readonly number[]> =>
  page
    .locator('main')
    .locator(rows)
    .evaluateAll((found) => found.slice(0, 2).map((row) => row.getBoundingClientRect().height))

const LISTS = [
  { path: 'archived', call: '**/api/v1/chats/archived**', rows: 'li:has(a)' },
  { path: 'settings/users', call: '**/api/v1/users/**', rows: 'tbody tr' },
  { path: 'settings/groups', call: '**/api/v1/groups/**', rows: 'ul[aria-label] > li, ul > li' },
] as const

const PLACEHOLDER = '.animate-late div:has(> span.shrink-0)'

for (const { name, width } of [
  { name: 'a wide window', width: 1280 },
  { name: 'a phone', width: 390 },
]) {
  test(`the placeholder of a list has the rows of the list, in ${name}`, async ({
    browser,
    startOwnGateway,
  }) => {
    const gateway = await startOwnGateway()
    const isPhone = width < 500
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      hasTouch: isPhone,
      isMobile: isPhone,
    })
    await settleIn(context, gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
    const page = await context.newPage()
    for (const title of ['Roses', 'Tulips']) {
      const made = await context.request.post(`${gateway.url}/api/v1/chats/new`, {
        data: { chat: { title } },
      })
      const { id } = (await made.json()) as { id: string }
      await context.request.post(`${gateway.url}/api/v1/chats/${id}/archive`)
      await context.request.post(`${gateway.url}/api/v1/groups/create`, {
        data: { name: title, description: '' },
      })
    }
    for (const { path, call, rows } of LISTS) {
      const isOpen = Promise.withResolvers<void>()
      await page.route(call, async (route) => {
        await isOpen.promise
        await route.continue()
      })
      await page.goto(`${gateway.url}/${path}`)
      await expect.poll(() => heightsOf(page, PLACEHOLDER), path).toHaveLength(2)
      const [, placeholder = 0] = await heightsOf(page, PLACEHOLDER)
      isOpen.resolve()
      await expect.poll(() => heightsOf(page, rows), path).toHaveLength(2)
      const [, real = 0] = await heightsOf(page, rows)
      expect(Math.abs(real - placeholder), `${path}: ${real} and ${placeholder}`).toBeLessThan(5)
      await page.unroute(call)
    }
    await context.close()
  })
}
