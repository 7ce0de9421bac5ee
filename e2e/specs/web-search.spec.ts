import type { Locator } from '@playwright/test'
import { ADMIN, addAccount, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test as base } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { startWeb, type StartedWeb } from '../start-web.ts'
import { openAdminChat } from '../open-chat.ts'

const test = base.extend<{
  web: (options?: Parameters<typeof startWeb>[0]) => Promise<StartedWeb>
}>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  web: async ({}, use) => {
    const started: StartedWeb[] = []
    await use(async (options) => {
      const web = await startWeb(options)
      started.push(web)
      return web
    })
    for (const web of started) web.stop()
  },
})

test.setTimeout(120_000)

const QUESTION = 'How is the pump of the espresso machine cleaned?'
const NAME = 'Search the web'

/** The first page a gateway reads waits for the reader processes to start. */
const FIRST_READING = { timeout: 45_000 }

/** Summary line of the collapsed steps of an answer. */
const line = (answer: Locator, text: string): Locator => answer.locator('summary').getByText(text)

test('the web is searched while it is switched on, the pages are cited and what was done can be looked at', async ({
  page,
  startOwnGateway,
  web: startAWeb,
}) => {
  const web = await startAWeb()
  const gateway = await startOwnGateway({ ...web.variables })
  const chat = await openAdminChat(page, gateway)
  const toggle = page.getByRole('button', { name: NAME })
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
  await toggle.press('Enter')
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await chat.send(QUESTION)
  const answer = chat.answers.last()
  await expect(line(answer, 'Read 2 web pages')).toBeVisible(FIRST_READING)
  await chat.finished()
  expect(web.queries).toEqual([QUESTION])
  await line(answer, 'Read 2 web pages').click()
  await expect(answer.getByRole('list', { name: 'Pages' }).getByRole('link')).toHaveText([
    /Espresso pump/,
    /Water kettle/,
  ])
  await expect(answer.getByRole('list', { name: 'Searched for' })).toHaveText(QUESTION)
  await expectAccessible(page)
  await answer.getByRole('button', { name: 'Source 1: Espresso pump' }).click()
  await expect(page.getByRole('complementary', { name: 'Source' })).toContainText('warm water')
  await page.reload()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect(line(chat.answers.last(), 'Read 2 web pages')).toBeVisible()
  await toggle.click()
  await chat.ask('And now without it')
  expect(web.queries).toHaveLength(1)
})

test('a search shows what it does and is stopped with the answer', async ({
  page,
  startOwnGateway,
  web: startAWeb,
}) => {
  const web = await startAWeb({ holdsBack: true })
  const gateway = await startOwnGateway({ ...web.variables })
  const chat = await openAdminChat(page, gateway)
  await page.getByRole('button', { name: NAME }).click()
  await chat.send(QUESTION)
  await expect(line(chat.answers.last(), 'Searching the web…')).toBeVisible()
  await chat.stopButton.click()
  await chat.finished()
  await expect(chat.answers.last()).toContainText('Stopped')
  await expect(chat.answers.last().locator('.animate-spin')).toHaveCount(0)
})

test('a link may switch it on, and nothing is sent without the person', async ({
  page,
  startOwnGateway,
  web: startAWeb,
}) => {
  const web = await startAWeb()
  const gateway = await startOwnGateway({ ...web.variables })
  await settleIn(page.context(), gateway, ADMIN)
  const chat = new ChatPage(page, gateway.url)
  await chat.open(`/?q=${encodeURIComponent(QUESTION)}&web-search=true`)
  await expect(chat.composer).toHaveValue(QUESTION)
  await expect(page.getByRole('button', { name: NAME })).toHaveAttribute('aria-pressed', 'true')
  expect([web.queries.length, await chat.answers.count()]).toEqual([0, 0])
  await chat.composer.press('Enter')
  await expect(line(chat.answers.last(), 'Read 2 web pages')).toBeVisible(FIRST_READING)
})

test('a model switches it on in its new chats', async ({
  page,
  startOwnGateway,
  web: startAWeb,
}) => {
  const web = await startAWeb()
  const gateway = await startOwnGateway({ ...web.variables })
  await settleIn(page.context(), gateway, ADMIN)
  await page.goto(`${gateway.url}/workspace/models?id=text`)
  await page
    .getByRole('group', { name: 'Features' })
    .getByRole('checkbox', { name: 'Web search' })
    .check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  const chat = new ChatPage(page, gateway.url)
  await chat.open('/?models=text')
  await expect(page.getByRole('button', { name: NAME })).toHaveAttribute('aria-pressed', 'true')
  await chat.open('/?models=reasoning')
  await expect(page.getByRole('button', { name: NAME })).toHaveAttribute('aria-pressed', 'false')
})

test('without an engine the switch says what is missing, and people who may not use it have none', async ({
  page,
  browser,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  await page.setViewportSize({ width: 360, height: 740 })
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await page.getByRole('button', { name: /^Extras on: / }).click()
  await page.getByRole('button', { name: NAME }).click()
  await expect(page.getByRole('dialog', { name: NAME })).toContainText(
    'No search engine is set up yet',
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Open settings' }).click()
  await expect(page).toHaveURL(/\/settings\/documents$/)

  const context = await browser.newContext()
  await settleIn(context, gateway, await addAccount(gateway, gateway.adminToken, 'user'))
  const theirs = new ChatPage(await context.newPage(), gateway.url)
  await theirs.open()
  await expect(theirs.page.getByRole('button', { name: NAME })).toHaveCount(0)
  await context.close()
})
