import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { createChat } from '../chat-api.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ConnectionForm } from '../pages/connection-form.ts'
import { PalettePage } from '../pages/palette-page.ts'
import { openAdminChat } from '../open-chat.ts'
import { SETTINGS_PAGES, WORKSPACE_AREAS } from '../../renderer/lib/router.ts'
import { drawPng } from '../../server/testing/draw-png.ts'

const PLACES = [
  ...SETTINGS_PAGES.map((page) => `/settings/${page}`),
  ...WORKSPACE_AREAS.map((area) => `/workspace/${area}`),
  '/archived',
  '/shared',
  '/starred',
  '/trash',
]

/** Returns the names of the buttons in the accent colour. */
const mainButtons = (page: Page): Promise<string[]> =>
  page.locator('main button.bg-accent.text-on-accent:visible').allInnerTexts()

test('no page has more than one main button', async ({ page, startOwnGateway }) => {
  test.slow()
  const gateway = await startOwnGateway({ ENABLE_CHANNELS: 'true' })
  await openAdminChat(page, gateway)
  for (const place of PLACES) {
    await page.goto(gateway.url + place)
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (place !== '/settings/requests') await page.waitForLoadState('networkidle')
    expect((await mainButtons(page)).slice(1), place).toEqual([])
  }
})

test('the areas of the workspace stand in groups, and each says what it is for', async ({
  chat,
}) => {
  await chat.page.goto(`${chat.url}/workspace/models`)
  const areas = chat.page.getByRole('navigation', { name: 'Workspace' })
  const groups = ['Every day', 'Build and automate']
  for (const name of groups) await expect(areas.getByRole('list', { name })).toBeVisible()
  const links = areas.getByRole('link')
  await expect(links).toHaveCount(WORKSPACE_AREAS.length)
  for (const link of await links.all()) await expect(link).toHaveAccessibleDescription(/\w{4}/)
  // Beside the page each is one line, and the description a tooltip.
  const tools = links.filter({ hasText: 'Tools' })
  await expect(tools.getByText('What models can do')).toBeHidden()
  expect((await tools.boundingBox())!.height).toBeLessThan(40)
  await tools.hover()
  await expect(chat.page.getByRole('tooltip')).toHaveText('What models can do')
  await expectAccessible(chat.page, BOTH_SCHEMES)
  await chat.page.setViewportSize({ width: 900, height: 800 })
  await areas.getByRole('button', { name: 'Models' }).click()
  await expect(links.getByText('What models can do')).toBeVisible()
  await expectAccessible(chat.page, BOTH_SCHEMES)
})

test('rating an answer leaves the chat where it stands in the list', async ({ chat, chatList }) => {
  await createChat(chat.page.request, chat.url, 'Older', { question: 'Why?', answer: 'Because.' })
  await createChat(chat.page.request, chat.url, 'Newer')
  await chat.open()
  await expect(chatList.rows).toHaveText(['Newer', 'Older'])
  await chatList.row('Older').click()
  const good = chat.answers.last().getByRole('button', { name: 'Good answer' })
  // The rating is shown at once and stored with the message at the end.
  const isKept = chat.page.waitForResponse(
    (response) =>
      response.request().method() === 'POST' &&
      /\/api\/v1\/chats\/[\w-]+\?reply=minimal$/.test(response.url()),
  )
  await good.click()
  await expect(good).toHaveAttribute('aria-pressed', 'true')
  await isKept
  await chat.page.reload()
  await expect(good).toHaveAttribute('aria-pressed', 'true')
  await expect(chatList.rows).toHaveText(['Newer', 'Older'])
})

test('the palette names chats before settings and commands', async ({ chat }) => {
  await createChat(chat.page.request, chat.url, 'Appearance of a garden')
  await chat.open()
  const palette = new PalettePage(chat.page)
  await palette.open()
  await expect(palette.rows.first()).toContainText('Appearance of a garden')
  await chat.page.keyboard.type('appearance')
  await expect(palette.rows.nth(1)).toContainText('Appearance')
  await expect(palette.rows.first()).toContainText('Appearance of a garden')
})

test('the palette shows a few chats at first, and finds any by its words, also those not listed yet', async ({
  chat,
}) => {
  test.setTimeout(120_000)
  await chat.open()
  const path = await chat.ask('/echo the heron by the weir').then(() => chat.path())
  await chat.finished()
  for (let number = 0; number < 70; number += 1)
    await createChat(chat.page.request, chat.url, `Chat ${number}`)
  await chat.page.goto(chat.url)
  await chat.ready()
  const palette = new PalettePage(chat.page)
  await palette.open()
  await expect(palette.rows.filter({ hasText: /^Chat \d/ })).toHaveCount(6)
  await expect(palette.dialog.getByText('New chat')).toBeInViewport()
  await palette.box.fill('heron weir')
  const found = palette.dialog.getByRole('group', { name: 'Found in chats' })
  await expect(found.locator('mark').first()).toHaveText('heron')
  await expectAccessible(chat.page, BOTH_SCHEMES)
  await palette.box.press('Enter')
  await expect(chat.answers).toHaveText([/the heron by the weir/])
  expect(chat.path()).toContain(path)
})

test('a browser teaches no keys that it keeps for itself', async ({ chat }) => {
  await chat.open()
  await chat.page.keyboard.press('Control+/')
  const shortcuts = chat.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts.getByText('Search chats')).toBeVisible()
  await expect(shortcuts.getByText('New chat', { exact: true })).toHaveCount(0)
})

test('whoever adds a connection says who may use its models', async ({ page, startOwnGateway }) => {
  const gateway = await startOwnGateway()
  await openAdminChat(page, gateway)
  await page.goto(`${gateway.url}/settings/connections`)
  await page.getByRole('button', { name: 'Add connection' }).click()
  await page.getByRole('button', { name: 'Another provider' }).click()
  const form = new ConnectionForm(page.getByRole('dialog'))
  const choice = form.root.getByRole('group', { name: 'Who can use its models' })
  await expect(choice.getByRole('radio', { name: 'Everyone signed in' })).toBeVisible()
  await expect(choice.getByRole('radio', { name: 'Only people I choose' })).toBeVisible()
})

test('a picture from elsewhere is fetched by the gateway once somebody asks to see it', async ({
  page,
  startOwnGateway,
}) => {
  const asked: IncomingHttpHeaders[] = []
  const web = createServer((request, response) => {
    asked.push(request.headers)
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(drawPng())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => void web.once('listening', resolve))
  const { port } = web.address() as AddressInfo
  const gateway = await startOwnGateway({ WEB_FETCH_ALLOWED_HOSTS: '127.0.0.1' })
  const chat = await openAdminChat(page, gateway)
  const answer = await chat.ask(`/crumbs Look: ![a cat](http://127.0.0.1:${port}/cat.png)`)
  const show = answer.getByRole('button', { name: 'Show image' })
  await expect(show).toBeVisible()
  expect(asked).toEqual([])
  await show.click()
  await expect(answer.getByRole('img', { name: 'a cat' })).toBeVisible()
  expect(asked).toHaveLength(1)
  expect(Object.keys(asked[0]!)).not.toEqual(expect.arrayContaining(['cookie']))
  expect(asked[0]!.referer).toBeUndefined()
  web.close()
})

test('on a phone the features of an answer stand behind one button, which counts those that are on', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await page.setViewportSize({ width: 390, height: 844 })
  const chat = await openAdminChat(page, gateway)
  const extras = page.getByRole('button', { name: /^Extras on:/ })
  await expect(extras).toHaveAccessibleName('Extras on: 0')
  const box = await extras.boundingBox()
  const attach = await page.getByRole('button', { name: 'Attach' }).first().boundingBox()
  expect(Math.abs(box!.y - attach!.y)).toBeLessThan(4)
  await extras.click()
  const code = page
    .getByRole('dialog', { name: 'Extras' })
    .getByRole('button', { name: 'Run code' })
  await code.click()
  await expect(code).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(extras).toHaveAccessibleName('Extras on: 1')
  await expect(chat.composer).toBeVisible()
})
