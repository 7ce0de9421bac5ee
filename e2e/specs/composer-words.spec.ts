import type { Locator } from '@playwright/test'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { SideBySidePage } from '../pages/side-by-side-page.ts'

test('what stands under the message box and in the header says in words what it is', async ({
  chat,
}) => {
  await chat.open()
  const form = chat.page.locator('form').filter({ has: chat.composer })
  for (const words of ['Compare', 'Code', 'Web'])
    await expect(form.getByText(words, { exact: true })).toBeVisible()
  for (const name of ['Temporary chat', 'Chat settings'])
    await expect(chat.page.getByRole('button', { name }).getByText(name)).toBeVisible()
  await expectAccessible(chat.page)
})

test('on a phone the same stands in menus with words', async ({ chat }) => {
  await chat.page.setViewportSize({ width: 390, height: 844 })
  await chat.open()
  await chat.page.getByRole('button', { name: /^Extras on: / }).click()
  const extras = chat.page.getByRole('dialog', { name: 'Extras' })
  await expect(extras.getByText('Search the web', { exact: true })).toBeVisible()
  await expect(extras.getByText('Run code', { exact: true })).toBeVisible()
  await chat.page.keyboard.press('Escape')
  await expect(chat.page.getByRole('button', { name: 'Chat settings' })).toBeVisible()
  const more = chat.page.getByRole('button', { name: 'More chat actions' })
  await more.click()
  await chat.page.getByRole('menuitem', { name: 'Temporary chat', exact: true }).click()
  await expect(chat.page.getByText('This chat is temporary')).toBeVisible()
  await more.click()
  await chat.page.getByRole('menuitem', { name: 'Turn off temporary chat' }).click()
  await expect(chat.page.getByText('This chat is temporary')).toHaveCount(0)
})

/** Returns how far the buttons under the message box are from being on one line. */
const unevenness = (form: Locator): Promise<number> =>
  form.getByRole('button').evaluateAll((buttons) => {
    const middles = buttons.map((button) => {
      const { top, height } = button.getBoundingClientRect()
      return top + height / 2
    })
    return Math.max(...middles) - Math.min(...middles)
  })

for (const width of [360, 390, 430])
  test(`at ${width} pixels what stands under the message box is one row`, async ({ chat }) => {
    await chat.page.setViewportSize({ width, height: 800 })
    await chat.open()
    const form = chat.page.locator('form').filter({ has: chat.composer })
    // Attach, model, compare, extras, dictate, and send.
    await expect(form.getByRole('button')).toHaveCount(6)
    expect(await unevenness(form)).toBeLessThan(8)
  })

test('on a phone the tools take the place of the extras at the lower edge, with a way back', async ({
  chat,
}) => {
  const { page } = chat
  await page.setViewportSize({ width: 390, height: 844 })
  await chat.open()
  await page.getByRole('button', { name: /^Extras on: / }).click()
  await page.getByRole('button', { name: /^Tools: / }).click()
  const tools = page.getByRole('dialog', { name: 'Tools' })
  await expect(tools.getByRole('switch').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Extras' })).toBeHidden()
  await expect
    .poll(async () => {
      const { x, y, width, height } = (await tools.boundingBox())!
      return [x, width, Math.round(y + height)]
    })
    .toEqual([0, 390, 844])
  await tools.getByRole('button', { name: 'Back' }).click()
  await expect(tools).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Extras' })).toBeVisible()
})

test('with a second model features fold where they would wrap, and unfold without it', async ({
  chat,
}) => {
  const { page } = chat
  await chat.open()
  await new SideBySidePage(page).add('reasoning')
  const form = page.locator('form').filter({ has: chat.composer })
  for (const width of [1280, 1040, 990, 960]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => unevenness(form)).toBeLessThan(8)
  }
  await expect(page.getByRole('button', { name: /^Extras on: / })).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Do not ask reasoning' }).click()
  await expect(page.getByRole('button', { name: /^Extras on: / })).toHaveCount(0)
})

test('a narrower window keeps an open panel and the focus of what was under the message box', async ({
  chat,
}) => {
  const { page } = chat
  await page.setViewportSize({ width: 1280, height: 800 })
  await chat.open()
  await page.getByRole('button', { name: 'Search the web' }).click()
  const panel = page.getByRole('dialog', { name: 'Search the web' })
  await expect(panel).toBeVisible()
  await page.setViewportSize({ width: 500, height: 800 })
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Extras on: / })).toBeFocused()
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('button', { name: /^Extras on: / })).toHaveCount(0)
  const isInForm = () => page.evaluate(() => document.activeElement?.closest('form') !== null)
  await expect.poll(isInForm).toBe(true)
})

test('the head of one of several answers stays one line at 390 pixels', async ({ chat }) => {
  await chat.page.setViewportSize({ width: 390, height: 844 })
  await chat.open()
  const side = new SideBySidePage(chat.page)
  await side.add('reasoning')
  await chat.send('/echo beside each other')
  const head = side.region.locator('.comparison-head').first()
  const keep = head.getByRole('button', { name: 'Use this answer' })
  await expect(keep).toBeVisible()
  const [outer, inner] = [(await head.boundingBox())!, (await keep.boundingBox())!]
  expect(outer.height).toBeLessThan(56)
  expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width)
})
