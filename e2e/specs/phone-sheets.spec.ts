import type { Browser, Locator, Page } from '@playwright/test'
import { type Account, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { findSidewaysScrolling, findSmallTargets } from '../find-small-targets.ts'
import { expect, test, type TestGateway } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'

const PHONE = { width: 360, height: 740 } as const

async function openPhone(browser: Browser, gateway: TestGateway, account: Account): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true })
  await settleIn(context, gateway, account)
  return context.newPage()
}

async function expectForThumbs(page: Page): Promise<void> {
  expect.soft(await findSidewaysScrolling(page)).toEqual([])
  expect.soft(await findSmallTargets(page)).toEqual([])
}

test('one button of the message box on a phone opens a sheet with words for all that goes along', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  const chat = new ChatPage(page, gateway.url)
  const box = page.locator('form').filter({ has: chat.composer })
  await chat.open()
  const add = page.getByRole('button', { name: 'Add and use' })
  // The sheet, the model, dictation, and send.
  await expect(box.getByRole('button')).toHaveCount(4)
  await add.tap()
  const sheet = page.getByRole('dialog', { name: 'Add and use' })
  for (const name of [
    'Photos and files',
    'Knowledge',
    'Note',
    'Web page',
    'Compare with another model',
  ])
    await expect(sheet.getByRole('button', { name })).toBeVisible()
  await expect
    .poll(async () => {
      const { x, y, width, height } = (await sheet.boundingBox())!
      return [x, width, Math.round(y + height)]
    })
    .toEqual([0, PHONE.width, PHONE.height])
  await sheet.getByRole('button', { name: 'Run code' }).tap()
  await expectAccessible(page, BOTH_SCHEMES)
  await expectForThumbs(page)
  await page.keyboard.press('Escape')
  await expect(add).toBeFocused()
  await expectAccessible(page, BOTH_SCHEMES)
  await expectForThumbs(page)
  await page.getByRole('button', { name: 'Code: remove' }).tap()
  await expect(page.getByRole('button', { name: 'Code: remove' })).toHaveCount(0)
  await add.tap()
  await sheet.getByRole('button', { name: 'Web page' }).tap()
  await page.getByRole('dialog').getByLabel('Address').fill('pages.example/a')
  await page.getByRole('dialog').getByRole('button', { name: 'Attach' }).tap()
  await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('pages.example/a')
  await page.context().close()
})

test('menus and the list of models are sheets at the lower edge of a phone', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  const edges = async (sheet: Locator): Promise<readonly number[]> => {
    const { x, y, width, height } = (await sheet.boundingBox())!
    return [x, width, Math.round(y + height)]
  }
  const lowerEdge = [0, PHONE.width, PHONE.height]
  await page.getByRole('button', { name: 'More chat actions' }).tap()
  await expect.poll(() => edges(page.getByRole('menu'))).toEqual(lowerEdge)
  await expectForThumbs(page)
  await page.keyboard.press('Escape')
  await chat.modelButton.tap()
  const models = page.getByRole('dialog', { name: 'Choose a model' })
  await expect.poll(() => edges(models)).toEqual(lowerEdge)
  expect((await models.boundingBox())!.y).toBeLessThan(60)
  const search = models.getByRole('combobox')
  const { y, height } = (await search.boundingBox())!
  expect(y).toBeLessThan(80)
  expect(height).toBeGreaterThanOrEqual(44)
  // A focused field would open the keyboard over the list.
  await expect(search).not.toBeFocused()
  await models.getByRole('option').first().waitFor()
  const heights = await models
    .getByRole('option')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
  expect(new Set(heights).size).toBe(1)
  expect(heights[0]).toBeGreaterThanOrEqual(44)
  const own = (await models.getByRole('button', { name: 'Create your own…' }).boundingBox())!
  expect(PHONE.height - own.y - own.height).toBeLessThan(20)
  const ways = models.locator('[title^="Actions for"], button:text-is("Create your own…")')
  for (const { width, height: high } of await ways.evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect().toJSON() as { width: number; height: number }),
  ))
    expect(Math.min(width, high)).toBeGreaterThanOrEqual(44)
  expect.soft(await findSidewaysScrolling(page)).toEqual([])
  await expectAccessible(page, BOTH_SCHEMES)
  await models.getByRole('button', { name: 'Close' }).tap()
  await expect(models).toHaveCount(0)
  await page.context().close()
})

test('the settings of a chat are a sheet behind a button of its header on a phone, and say when they are stored', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await chat.ask('/echo settings')
  const button = page.getByRole('button', { name: 'Chat settings' })
  const sheet = page.getByRole('complementary', { name: 'Chat settings' })
  await button.tap()
  const { y, width, height } = (await sheet.boundingBox())!
  expect([width, Math.round(y + height)]).toEqual([PHONE.width, PHONE.height])
  expect(y).toBeGreaterThan(40)
  await expectForThumbs(page)
  await page.route('**/api/v1/chats/*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800))
    await route.continue()
  })
  await sheet.getByLabel('Instructions for this chat').fill('Answer briefly.')
  await page.waitForTimeout(600)
  await expect(sheet.getByText('Saved')).toHaveCount(0)
  await expect(sheet.getByText('Saved')).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.touchscreen.tap(100, 20)
  await expect(sheet).toHaveCount(0)
  await page.context().close()
})
