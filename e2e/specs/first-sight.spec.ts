import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { expectAccessible } from '../find-faults.ts'
import { settleIn } from '../accounts.ts'

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
  // Until its style sheet is there nothing is painted, but everything has a place.
  await expect(frame).toHaveCSS('position', 'fixed')
  const width = (await frame.locator('.start-sidebar').boundingBox())!.width
  const box = (await frame.locator('.rounded-composer').boundingBox())!
  release()
  await expect(chat.composer).toBeVisible()
  await expect(frame).toHaveCount(0)
  expect((await page.locator('aside').boundingBox())!.width).toBe(width)
  const form = (await page.locator('form').filter({ has: chat.composer }).boundingBox())!
  for (const side of ['x', 'y', 'width', 'height'] as const)
    expect(Math.abs(form[side] - box[side]), side).toBeLessThanOrEqual(4)
})

/** Screens with parts of the grey frame, and what then stands in their place. */
const SCREENS = [
  [
    '/',
    [
      ['.rounded-composer', 'main form:has(#composer)'],
      ['.rounded-composer .rounded-full', 'main form:has(#composer) button[type=submit]'],
      ['.text-head-3', 'main h1'],
      ['.text-message', 'main h1 + p'],
    ],
  ],
  ['/workspace/prompts', [['[data-in=workspace] .start-title', 'main h1']]],
  ['/settings/appearance', [['[data-in=settings] .start-title', 'main h1']]],
  ['/trash', [['[data-in=page] .start-title', 'main h1']]],
] as const

/** Parts of the chat list, which windows of a phone do not show at first. */
const LIST = [
  ['.start-sidebar', 'aside'],
  ['.start-sidebar > div:nth-child(2) > div:last-child > i', 'aside input[type=search]'],
  ['.start-sidebar .grid', 'aside nav.grid'],
] as const

/** Returns where the shown elements begin, have their middle and end, and their middle height. */
async function readPlaces(page: Page, selectors: readonly string[]): Promise<readonly number[][]> {
  return page.evaluate(
    (all) =>
      all.map((selector) => {
        const shown = [...document.querySelectorAll(selector)].find(
          (each) => each.getClientRects().length > 0,
        )
        if (!shown) throw new Error(`Nothing is shown for ${selector}`)
        const { x, y, width, height } = shown.getBoundingClientRect()
        return [x, x + width / 2, x + width, y + height / 2]
      }),
    selectors,
  )
}

for (const [width, language] of [
  [1280, 'en'],
  [390, 'en'],
  [1280, 'ar'],
  [390, 'ar'],
] as const)
  test(`at ${width} pixels in “${language}” each screen comes where its grey frame was`, async ({
    browser,
    gateway,
    account,
  }) => {
    const isPhone = width < 768
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      hasTouch: isPhone,
      isMobile: isPhone,
      colorScheme: language === 'ar' ? 'dark' : 'light',
    })
    await context.addInitScript((kept) => localStorage.setItem('language', kept), language)
    await settleIn(context, gateway, account)
    const page = await context.newPage()
    await page.goto(gateway.url)
    await page.locator('#composer').waitFor()
    for (const [path, parts] of SCREENS) {
      const isTitleHidden = isPhone && path.startsWith('/settings')
      const hasList = !isPhone && !path.startsWith('/settings')
      const pairs = [...(hasList ? LIST : []), ...(isTitleHidden ? [] : parts)]
      const release = await holdBack(page, /\/api\//)
      await page.goto(gateway.url + path, { waitUntil: 'commit' })
      const frame = page.locator('#start-frame')
      await expect(frame).toBeVisible()
      // Until its style sheet is there nothing is painted, but everything has a place.
      await expect(frame).toHaveCSS('position', 'fixed')
      const before = await readPlaces(
        page,
        pairs.map(([part]) => part),
      )
      release()
      await expect(frame).toHaveCount(0)
      await page.locator('main h1').first().waitFor({ state: 'attached' })
      await page.unroute(/\/api\//)
      await expect
        .poll(async () => {
          const after = await readPlaces(
            page,
            pairs.map(([, real]) => real),
          ).catch(() => null)
          return after?.map((real, index) => {
            const [left, middle, right, height] = real.map((at, edge) =>
              Math.abs(at - before[index]![edge]!),
            )
            return Math.min(left!, middle!, right!) <= 4 && height! <= 4
              ? 'in place'
              : `${path} ${pairs[index]![1]} is off by ${[left, middle, right, height].join(', ')}`
          })
        })
        .toEqual(pairs.map(() => 'in place'))
    }
    await context.close()
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
