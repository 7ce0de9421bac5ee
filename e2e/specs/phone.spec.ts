import type { Browser, Locator, Page } from '@playwright/test'
import { type Account, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { findSidewaysScrolling, findSmallTargets } from '../find-small-targets.ts'
import { expect, test, type TestGateway } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { SideBySidePage } from '../pages/side-by-side-page.ts'
import { SETTINGS_PAGES, WORKSPACE_AREAS } from '../../renderer/lib/router.ts'
import { WorkspacePage } from '../pages/workspace-page.ts'

/** A phone in portrait and landscape orientation, and a tablet. */
const SIZES = [
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 768, height: 1024 },
] as const

async function openPhone(
  browser: Browser,
  gateway: TestGateway,
  account: Account,
  viewport: { width: number; height: number } = SIZES[0],
): Promise<Page> {
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true })
  await settleIn(context, gateway, account)
  return context.newPage()
}

async function expectForThumbs(page: Page): Promise<void> {
  const place = `${page.url()} at ${page.viewportSize()?.width} pixels`
  expect.soft(await findSidewaysScrolling(page), `sideways scrolling of ${place}`).toEqual([])
  expect.soft(await findSmallTargets(page), `small targets of ${place}`).toEqual([])
}

/** Adds an entry to every list, so that rows are checked too. */
async function furnish(page: Page, { url }: TestGateway): Promise<void> {
  const post = (path: string, data: object) => page.request.post(`${url}/api/v1/${path}`, { data })
  await post('prompts/create', {
    command: '/thumb',
    name: 'A prompt with quite a long name for a phone',
    content: 'Sum up {{text | textarea}} in {{language}}.',
    tags: ['writing'],
  })
  await post('notes/create', { title: 'Shopping', data: { content: { md: '- flour' } } })
  await post('knowledge/create', { name: 'Bread', description: 'Everything about bread' })
  await post('groups/create', { name: 'Bakers', description: 'Everybody who brings bread' })
  await post('memories/add', { content: 'Bakes every weekend.' })
  await page.request.post(`${url}/api/v1/files/`, {
    multipart: {
      file: { name: 'oven.txt', mimeType: 'text/plain', buffer: Buffer.from('Heat it.') },
    },
  })
}

/** Returns whether an empty box is wide enough for its placeholder. */
const showsPlaceholder = (box: Locator): Promise<boolean> =>
  box.evaluate((input: HTMLInputElement) => {
    const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(input)
    const context = document.createElement('canvas').getContext('2d')!
    context.font = font
    const room = input.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd)
    return context.measureText(input.placeholder).width <= room
  })

test('every place can be used with a thumb, upright, on its side and on a tablet', async ({
  browser,
  gateway,
  account,
}) => {
  test.setTimeout(180_000)
  const page = await openPhone(browser, gateway, account)
  await furnish(page, gateway)
  const places = [
    ...WORKSPACE_AREAS.map((area) => `workspace/${area}`),
    'workspace/models?id=',
    'workspace/tools?id=',
    'pictures',
    'archived',
    'shared',
    'trash',
    ...SETTINGS_PAGES.map((name) => `settings/${name}`),
  ]
  for (const place of places) {
    await page.goto(`${gateway.url}/${place}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect(page.getByText('Loading', { exact: true })).toHaveCount(0)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expectForThumbs(page)
    }
    await page.setViewportSize(SIZES[0])
  }
  await page.context().close()
})

test('the places of workspace and settings stand behind a button on a phone', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  await page.goto(`${gateway.url}/workspace/notes`)
  const areas = page.getByRole('navigation', { name: 'Workspace' })
  await areas.getByRole('button', { name: 'Notes' }).click()
  await expect(areas.getByRole('link', { name: 'Notes' })).toHaveAttribute('aria-current', 'page')
  await expectAccessible(page, BOTH_SCHEMES)
  await expectForThumbs(page)
  await areas.getByRole('link', { name: 'Prompts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Prompts' })).toBeVisible()
  await expect(areas.getByRole('link', { name: 'Notes' })).toBeHidden()
  await page.goto(`${gateway.url}/settings/appearance`)
  const pages = page.getByRole('navigation', { name: 'Settings' })
  const button = pages.getByRole('button', { name: 'Appearance' })
  await button.click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await expect(pages.getByRole('link', { name: 'Account' })).toBeHidden()
  const search = page.getByRole('searchbox', { name: 'Search settings' })
  await expect(search).toBeHidden()
  const content = await page
    .getByRole('main')
    .locator('form, section, fieldset')
    .first()
    .boundingBox()
  expect(content?.y).toBeLessThan(130)
  await page.getByRole('button', { name: 'Search settings' }).click()
  await expect(search).toBeFocused()
  expect(await showsPlaceholder(search)).toBe(true)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Search settings' })).toBeFocused()
  await page.keyboard.press('Enter')
  await search.fill('theme')
  await pages.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Appearance' })).toBeVisible()
  await page.context().close()
})

/** Returns how far the centers of the buttons of a box are from being on one line. */
const unevenness = (box: Locator): Promise<number> =>
  box.getByRole('button').evaluateAll((buttons) => {
    const middles = buttons
      .map((button) => button.getBoundingClientRect())
      .filter(({ height }) => height > 0)
      .map(({ top, height }) => top + height / 2)
    return Math.max(...middles) - Math.min(...middles)
  })

test('further models are chips over the chosen one, and the buttons of the message box stay one row', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  const chat = new ChatPage(page, gateway.url)
  const compare = new SideBySidePage(page)
  const box = page.locator('form').filter({ has: chat.composer })
  await chat.open()
  for (const name of ['reasoning', 'Guide']) {
    await compare.add(name)
    for (const width of [360, 390, 430]) {
      await page.setViewportSize({ width, height: 844 })
      await expect(
        page.getByRole('button', { name: new RegExp(`^${name}.*: remove$`) }),
      ).toBeVisible()
      expect(await unevenness(box.locator('> div').last())).toBeLessThan(8)
      expect(await findSidewaysScrolling(page)).toEqual([])
    }
  }
  await compare.sheetButton.tap()
  await compare.addButton.tap()
  const panel = page.getByRole('dialog', { name: 'Compare with another model' })
  await expectAccessible(page, BOTH_SCHEMES)
  await expectForThumbs(page)
  await panel.getByRole('button', { name: 'Do not ask reasoning' }).click()
  await expect(panel).toBeFocused()
  await expect(panel.getByRole('option', { name: 'reasoning' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(compare.addButton).toHaveAccessibleName('Compare with another model, 1 chosen')
  await page.context().close()
})

/** Swipes with one finger over the middle of an element, by a distance in pixels. */
async function swipe(target: Locator, distance: number): Promise<void> {
  await target.evaluate((element, along) => {
    const box = element.getBoundingClientRect()
    const send = (type: 'touchstart' | 'touchend', clientX: number): void => {
      const touch = new Touch({ identifier: 1, target: element, clientX, clientY: box.top + 4 })
      const touches = type === 'touchend' ? [] : [touch]
      element.dispatchEvent(
        new TouchEvent(type, { bubbles: true, touches, changedTouches: [touch] }),
      )
    }
    const middle = box.left + box.width / 2
    send('touchstart', middle - along / 2)
    send('touchend', middle + along / 2)
  }, distance)
}

test('the actions of older messages wait for a tap on a phone, and those of the last answer are there', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await chat.ask('/echo one')
  await chat.ask('/echo two')
  const [question, older] = [chat.userMessages.first(), chat.answers.first()]
  const heightOf = async (message: Locator): Promise<number> =>
    Math.max(
      0,
      ...(await message
        .locator('[data-actions]')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))),
    )
  expect(await heightOf(chat.answers.last())).toBeGreaterThanOrEqual(44)
  for (const message of [question, older, chat.userMessages.last()])
    expect(await heightOf(message)).toBeLessThan(2)
  await expectForThumbs(page)
  await older.getByText('/echo one').tap()
  await expect.poll(() => heightOf(older)).toBeGreaterThanOrEqual(44)
  await expectAccessible(page, BOTH_SCHEMES)
  await chat.more(older).tap()
  await expect(page.getByRole('menuitem', { name: 'Add to favourites' })).toBeVisible()
  await page.keyboard.press('Escape')
  await question.getByText('/echo one').tap()
  await expect.poll(() => heightOf(question)).toBeGreaterThanOrEqual(44)
  await expect.poll(() => heightOf(older)).toBeLessThan(2)
  await question.getByText('/echo one').tap()
  await expect.poll(() => heightOf(question)).toBeLessThan(2)
  // A keyboard or a screen reader reaches the actions without a tap.
  await chat.copy(older).focus()
  await expect.poll(() => heightOf(older)).toBeGreaterThanOrEqual(44)
  await page.context().close()
})

test('the way to the end is a round arrow beside the text on a phone', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await chat.ask('/long 600')
  await chat.conversation.evaluate((view) => view.scrollTo(0, 0))
  const box = (await chat.latestButton.boundingBox())!
  expect(Math.round(box.width)).toBe(44)
  expect(SIZES[0].width - box.x - box.width).toBeLessThan(24)
  await expectForThumbs(page)
  await chat.latestButton.tap()
  await expect(chat.latestButton).toHaveCount(0)
  await page.context().close()
})

test('a table of many columns scrolls on a phone, with room for words in each', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  const line = '| Mix flour and water | Rest half an hour | Ten minutes | Twenty degrees |'
  await chat.ask(`/crumbs | A | B | C | D |\n|---|---|---|---|\n${line}`)
  const cells = chat.answers.last().getByRole('cell')
  await expect(cells).toHaveCount(4)
  for (const cell of await cells.all())
    expect((await cell.boundingBox())!.width).toBeGreaterThanOrEqual(110)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
  await page.context().close()
})

test('a swipe turns to the answer of the next model, and past the first one opens the chat list', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  const chat = new ChatPage(page, gateway.url)
  const compare = new SideBySidePage(page)
  await chat.open()
  await compare.add('reasoning')
  await chat.send('/echo swiped')
  await compare.finished()
  const text = compare.columns.locator('p').filter({ hasText: '/echo swiped', visible: true })
  await swipe(text, -120)
  await expect(compare.tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
  await swipe(text, -120)
  await expect(compare.tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
  await swipe(text, 120)
  await expect(compare.tabs.nth(0)).toHaveAttribute('aria-selected', 'true')
  await expect(chat.chatList).toBeHidden()
  await swipe(text, 120)
  await expect(chat.chatList).toBeVisible()
  await page.context().close()
})

test('a form on a phone is a sheet at the lower edge that asks before typed text is lost', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('prompts')
  await page.getByRole('button', { name: 'New prompt' }).click()
  const box = (await workspace.dialog.boundingBox())!
  expect(Math.round(box.y + box.height)).toBe(SIZES[0].height)
  await expectForThumbs(page)
  await workspace.dialog.getByLabel('Name').fill('Half a thought')
  await page.keyboard.press('Escape')
  await expect(workspace.dialog.getByRole('alert')).toContainText('Discard what you typed?')
  await expectAccessible(page, BOTH_SCHEMES)
  await workspace.dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect(workspace.dialog.getByLabel('Name')).toHaveValue('Half a thought')
  await page.keyboard.press('Escape')
  await workspace.dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(workspace.dialog).toHaveCount(0)
  await page.context().close()
})

test('a page with typed text on it asks before it is left, by a link and by a step back', async ({
  settings,
}) => {
  const { page } = settings
  await settings.open('appearance')
  await settings.pages.getByRole('link', { name: 'Account' }).click()
  const name = page.getByLabel('Name', { exact: true })
  const before = await name.inputValue()
  await name.fill('Somebody else')
  await settings.pages.getByRole('link', { name: 'Memories' }).click()
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(name).toHaveValue('Somebody else')
  await page.goBack()
  await question.waitFor()
  await expect(page).toHaveURL(/settings\/account/)
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/settings\/appearance/)
  await settings.pages.getByRole('link', { name: 'Account' }).click()
  await expect(name).toHaveValue(before)
  await name.fill(before)
  await settings.pages.getByRole('link', { name: 'Memories' }).click()
  await expect(page).toHaveURL(/settings\/memories/)
})

test('the message box stays above a keyboard that lies over the page', async ({
  browser,
  gateway,
  account,
}) => {
  const page = await openPhone(browser, gateway, account)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  // Simulates what a browser reports that overlays the keyboard on the page; none is available
  // here.
  await page.evaluate(() => {
    Object.defineProperty(visualViewport, 'height', { value: 420, configurable: true })
    visualViewport?.dispatchEvent(new Event('resize'))
  })
  await expect
    .poll(async () => {
      const box = (await chat.sendButton.boundingBox())!
      return box.y + box.height
    })
    .toBeLessThanOrEqual(420)
  await page.context().close()
})
