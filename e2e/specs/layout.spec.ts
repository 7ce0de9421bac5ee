import type { Page } from '@playwright/test'
import { redrawn, settled } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { SETTINGS_PAGES } from '../pages/settings-page.ts'
import { SignInPage } from '../pages/sign-in-page.ts'

test.use({ reducedMotion: 'no-preference' })

const SIZES = [
  [320, 640],
  [360, 740],
  [768, 1024],
  [1280, 720],
  [2560, 1440],
  [3840, 2160],
] as const

/** Expects that nothing on the page requires sideways scrolling, whichever element would scroll. */
async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  await settled(page)
  const wide = await page.evaluate(() => {
    const scrolls = (element: Element): boolean => element.scrollWidth - element.clientWidth > 1
    const boxes = [
      document.documentElement,
      ...document.querySelectorAll('main, main > *, [aria-label="Conversation"], form, aside'),
    ]
    return boxes
      .filter((element) => getComputedStyle(element).overflowX !== 'hidden' && scrolls(element))
      .map((element) => element.outerHTML.slice(0, 120))
  })
  expect(wide, `at ${page.viewportSize()?.width} pixels`).toEqual([])
}

/** Runs a check at every window size. */
async function atEverySize(page: Page, check: () => Promise<void>): Promise<void> {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    await redrawn(page)
    await check()
  }
}

test('at every size nothing needs sideways scrolling and everything is reachable', async ({
  chat,
  settings,
}) => {
  const { page } = chat
  await chat.open()
  await atEverySize(page, () => expectNoSidewaysScrolling(page))
  await chat.ask('/markdown')
  await chat.ask(
    `/crumbs ${'unbroken'.repeat(40)}\n\n| ${'column | '.repeat(20)}\n|${'---|'.repeat(20)}\n| ${'value | '.repeat(20)}`,
  )
  await atEverySize(page, async () => {
    await expectNoSidewaysScrolling(page)
    await expect(chat.composer).toBeInViewport()
    await expect(chat.sendButton).toBeInViewport()
  })
  for (const name of SETTINGS_PAGES) {
    await settings.open(name)
    await atEverySize(page, () => expectNoSidewaysScrolling(page))
  }
})

test('in a narrow window the list is a drawer that Escape closes and that goes after a choice', async ({
  chat,
  chatList,
}) => {
  await chat.page.setViewportSize({ width: 360, height: 740 })
  await chat.open()
  await chat.ask('/echo in the drawer')
  await expect(chatList.list).toHaveCount(0)
  const open = chat.page.getByRole('button', { name: 'Show chat list' })
  await open.click()
  await expect(chatList.list).toBeVisible()
  await expectNoSidewaysScrolling(chat.page)
  await chat.page.keyboard.press('Escape')
  await expect(chatList.list).toHaveCount(0)
  await expect(open).toBeFocused()
  await chat.page.getByRole('button', { name: 'New chat' }).click()
  await open.click()
  await chatList.row('in the drawer').click()
  await expect(chatList.list).toHaveCount(0)
  await expect(chat.answers.last()).toContainText('in the drawer')
})

test('sign-in fits a very narrow window', async ({ page, gateway }) => {
  await page.setViewportSize({ width: 320, height: 480 })
  const gate = new SignInPage(page)
  await gate.open(gateway.url)
  await expectNoSidewaysScrolling(page)
  await gate.signInButton.scrollIntoViewIfNeeded()
  await expect(gate.signInButton).toBeInViewport()
})

test('text at 150 % in a narrow window still fits', async ({ chat, gateway }) => {
  await chat.page.request.post(`${gateway.url}/api/v1/users/user/settings/update`, {
    data: { ui: { welcomed: true, appearance: { textScale: 150 } } },
  })
  await chat.page.setViewportSize({ width: 360, height: 740 })
  await chat.open()
  await chat.ask('/markdown')
  await expectNoSidewaysScrolling(chat.page)
  await expect(chat.sendButton).toBeInViewport()
})

test('who asked for less motion gets none', async ({ chat }) => {
  await chat.page.emulateMedia({ reducedMotion: 'reduce' })
  await chat.open()
  await chat.sendWithoutEnd()
  await chat.page.keyboard.press('Control+k')
  await chat.page.getByRole('dialog').waitFor()
  const moving = await chat.page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && Number(effect?.getComputedTiming().duration) > 10,
      )
      .map((animation) => (animation as CSSAnimation).animationName ?? 'transition'),
  )
  expect(moving).toEqual([])
  await chat.page.keyboard.press('Escape')
  await chat.stopButton.click()
})

test('with forced colours everything that can be used has an edge or a word', async ({
  chat,
  settings,
}) => {
  await chat.page.emulateMedia({ forcedColors: 'active' })
  await chat.open()
  await chat.ask('/markdown')
  const edgeOf = (locator: typeof chat.composer) =>
    locator.evaluate((element) => getComputedStyle(element).borderTopWidth)
  expect(await edgeOf(chat.page.getByRole('form', { name: 'Write' }))).not.toBe('0px')
  await settings.open('appearance')
  const chosen = settings.choice('Theme', 'System').locator('..')
  expect(await chosen.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe(
    'none',
  )
})

test('messages in right-to-left scripts are set from the right', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/crumbs שלום עולם')
  const direction = await answer
    .getByText('שלום עולם')
    .evaluate((element) => getComputedStyle(element).direction)
  expect(direction).toBe('rtl')
})
