import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
import { startFakeCompatible } from '../../server/testing/fake-upstream/fake-compatible.ts'
import { type Account, addAccount, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { findSidewaysScrolling, findSmallTargets } from '../find-small-targets.ts'
import { expect, test, type TestGateway } from '../fixtures.ts'
import { AttachmentsPage } from '../pages/attachments-page.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { playDialogue } from '../scripted-model.ts'

const PHONE = { width: 390, height: 844 } as const

async function openPhone(
  browser: Browser,
  gateway: TestGateway,
  account: Account,
): Promise<ChatPage> {
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true })
  await settleIn(context, gateway, account)
  return new ChatPage(await context.newPage(), gateway.url)
}

async function expectForThumbs(page: Page): Promise<void> {
  expect(await findSidewaysScrolling(page)).toEqual([])
  expect(await findSmallTargets(page)).toEqual([])
}

const middleOf = async (element: Locator): Promise<number> => {
  const { y, height } = (await element.boundingBox())!
  return y + height / 2
}

test('on a phone the controls of the message box are one row, whatever the name of the model', async ({
  browser,
  startOwnGateway,
}) => {
  const provider = await startFakeCompatible({
    models: ['a-model-whose-name-is-long'],
    script: playDialogue,
  })
  const gateway = await startOwnGateway({ OPENAI_API_BASE_URLS: provider.url })
  const account = await addAccount(gateway, gateway.adminToken, 'admin')
  const chat = await openPhone(browser, gateway, account)
  const { page } = chat
  await chat.open()
  await page.getByRole('button', { name: 'Dictate' }).waitFor()
  for (const width of [360, 390, 430]) {
    await page.setViewportSize({ width, height: PHONE.height })
    const send = await middleOf(page.getByRole('button', { name: 'Send' }))
    for (const button of [chat.modelButton, page.getByRole('button', { name: 'Add and use' })])
      expect(Math.abs((await middleOf(button)) - send)).toBeLessThan(8)
    await expectForThumbs(page)
  }
  await expectAccessible(page, BOTH_SCHEMES)
  await page.context().close()
  await provider.close()
})

test('the tools keep their place in a new chat before the list of tools has arrived', async ({
  chat,
}) => {
  const { page } = chat
  const created = await page.request.post(`${chat.url}/api/v1/skills/create`, {
    data: { id: 'steady-letters', name: 'Business letters', content: 'Be brief.' },
  })
  expect(created.ok()).toBe(true)
  const tools = page.getByRole('button', { name: /^Tools/ })
  await chat.open()
  await tools.waitFor()
  await page.route(/\/api\/v1\/(tools|skills)\/$/, () => new Promise(() => {}))
  await page.reload()
  await chat.composer.waitFor()
  await expect(tools).toBeVisible()
  const web = page.getByRole('button', { name: 'Search the web' })
  const places = [await tools.boundingBox(), await web.boundingBox()]
  await page.getByRole('button', { name: 'Create images' }).waitFor()
  expect([await tools.boundingBox(), await web.boundingBox()]).toEqual(places)
})

test('settings, people and the palette are found from the foot of the sidebar', async ({
  chat,
}) => {
  const { page } = chat
  await chat.open()
  const account = page.getByRole('button', { name: 'account menu' })
  await account.click()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByRole('menuitem', { name: 'Command palette' }).click()
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
  await page.keyboard.press('Escape')
  await account.click()
  await page.getByRole('menuitem', { name: 'Add person' }).click()
  await expect(page).toHaveURL(/settings\/users$/)
  await chat.open()
  const gear = page.getByRole('button', { name: 'Settings', exact: true })
  await gear.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/settings\/account$/)
})

test('on a phone a PDF takes the whole window at the width of its text, and one button shows it in other sizes', async ({
  browser,
  gateway,
  account,
}) => {
  const chat = await openPhone(browser, gateway, account)
  const { page } = chat
  const attachments = new AttachmentsPage(page)
  await chat.open()
  await attachments.attach({
    name: 'report.pdf',
    mimeType: 'application/pdf',
    content: readFileSync(
      path.resolve(import.meta.dirname, '../../server/retrieval/extraction/fixtures/report.pdf'),
    ),
  })
  await attachments.list.getByRole('button', { name: 'Open “report.pdf”' }).click()
  await attachments.dialog.locator('.pdf-page canvas').waitFor()
  expect(await attachments.dialog.boundingBox()).toEqual({ x: 0, y: 0, ...PHONE })
  const paper = attachments.dialog.locator('.pdf-page')
  const width = async () => (await paper.boundingBox())?.width ?? 0
  const byText = await width()
  expect(byText).toBeGreaterThan(PHONE.width)
  const title = (await paper.getByText('Harbour report 2025').boundingBox())!
  expect(title.x).toBeGreaterThanOrEqual(0)
  expect(title.x).toBeLessThan(20)
  await attachments.dialog.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(width).toBeGreaterThan(byText * 1.5)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  await attachments.dialog.getByRole('button', { name: 'Fit to width' }).click()
  await expect.poll(width).toBeLessThanOrEqual(PHONE.width)
  expect(await width()).toBeGreaterThan(370)
  await expectForThumbs(page)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.keyboard.press('Escape')
  await expect(attachments.dialog).toHaveCount(0)
  await page.context().close()
})

test('on a phone the buttons of a plugin stand beside its title', async ({
  browser,
  gateway,
  account,
}) => {
  const { page } = await openPhone(browser, gateway, account)
  await page.goto(`${gateway.url}/workspace/tools?id=`)
  const title = page.getByRole('heading', { level: 1 })
  const save = page.getByRole('button', { name: 'Save' })
  await save.waitFor()
  expect(Math.abs((await middleOf(title)) - (await middleOf(save)))).toBeLessThan(8)
  await expectForThumbs(page)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.context().close()
})

test('the chats keep their place in the list before the channels above them have arrived', async ({
  browser,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ ENABLE_CHANNELS: 'true' })
  const account = await addAccount(gateway, gateway.adminToken, 'admin')
  const context = await browser.newContext()
  await settleIn(context, gateway, account)
  const page = await context.newPage()
  const post = (path: string, data: unknown) =>
    page.request.post(`${gateway.url}/api/v1/${path}`, { data })
  expect((await post('channels/create', { name: 'garden', type: 'group' })).ok()).toBe(true)
  expect((await post('chats/new', { chat: { title: 'Tulips' } })).ok()).toBe(true)
  const [channel, chat] = [/garden/, /Tulips/].map((name) => page.getByRole('link', { name }))
  await page.goto(gateway.url)
  await channel!.waitFor()
  await chat!.waitFor()
  let answer = (): void => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/api\/v1\/channels\/$/, async (route) => {
    await asked
    await route.continue()
  })
  await page.reload()
  await chat!.waitFor()
  await expect(channel!).toHaveCount(0)
  const before = await chat!.boundingBox()
  answer()
  await channel!.waitFor()
  expect(await chat!.boundingBox()).toEqual(before)
  await context.close()
})
