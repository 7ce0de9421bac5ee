import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../find-faults.ts'
import { expect, test, type TestGateway } from '../fixtures.ts'
import { pluginEnvironment, pluginPython } from '../../server/testing/plugin-python.ts'
import type { ChatPage } from '../pages/chat-page.ts'
import { openAdminChat } from '../open-chat.ts'

test.setTimeout(120_000)

const NO_PYTHON = 'no Python with pydantic on this machine'
/** The first call of a plugin waits for its worker. */
const FIRST_CALL = { timeout: 45_000 }

const notes = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' })

async function post(gateway: TestGateway, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${gateway.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${gateway.adminToken}` },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
}

/**
 * Returns a function that sends events to the last answer on the screen, as an external tool does.
 */
async function toSender(gateway: TestGateway, chat: ChatPage) {
  const messageId = await chat.answers.last().getAttribute('data-message-id')
  const path = `chats/${chat.path().slice('/c/'.length)}/messages/${messageId}/event`
  return (type: string, data: unknown) => post(gateway, path, { type, data })
}

test('events from outside change the answer as each type says, and what persists is there after a reload', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  const chat = await openAdminChat(page, gateway)
  const answer = await chat.ask('Hello')
  const send = await toSender(gateway, chat)

  await send('status', { description: 'Reading the meter', done: false })
  await expect(answer.getByText('Reading the meter')).toBeVisible()
  await expect(answer.locator('.animate-spin')).toHaveCount(1)
  await send('status', { description: 'Secret step', done: true, hidden: true })
  await send('status', { description: 'The meter is read', done: true })
  await expect(answer.locator('summary').getByText('2 steps')).toBeVisible()
  await expect(answer.getByText('Secret step')).toHaveCount(0)

  await send('replace', { content: 'One' })
  await send('message', { content: ' two' })
  await send('chat:message:delta', { content: ' passing' })
  await expect(answer.getByText('One two passing')).toBeVisible()
  await send('chat:message', { content: 'Only shown' })
  await expect(answer.getByText('Only shown')).toBeVisible()

  await send('source', { source: { name: 'Meter log' }, document: ['41 kWh'], metadata: [{}] })
  await send('citation', {
    source: { name: 'Manual', url: 'https://example.org/manual' },
    document: ['Read it daily'],
    metadata: [{}],
  })
  const run = { type: 'code_execution', id: 'r1', name: 'Add it up', code: 'print(40 + 1)' }
  await send('source', { ...run, result: {} })
  await send('source', { ...run, result: { output: '41' } })
  await expect(answer.getByRole('button', { name: '2 sources' })).toBeVisible()
  await answer.getByText('Add it up').click()
  await expect(answer.getByLabel('Output', { exact: true })).toHaveText('41')

  await send('files', { files: [{ type: 'file', id: 'f1', name: 'meter.csv' }] })
  await expect(answer.getByText('meter.csv')).toBeVisible()
  await send('embeds', { embeds: ['<h1>First chart</h1>'] })
  await send('embeds', { embeds: ['<h1>Second chart</h1>'] })
  await expect(answer.locator('iframe')).toHaveCount(2)
  await send('embeds', { embeds: ['<h1>Only chart</h1>'], replace: true })
  await expect(answer.locator('iframe')).toHaveCount(1)
  await expectAccessible(page)
  await send('embeds', { embeds: [], replace: true })
  await expect(answer.locator('iframe')).toHaveCount(0)

  for (const type of ['info', 'success', 'warning', 'error']) {
    await send('notification', { type, content: `This is <b>${type}</b>` })
    await expect(notes(page).getByText(`This is <b>${type}</b>`)).toBeVisible()
  }

  await page.reload()
  await expect(answer.getByText('One two', { exact: true })).toBeVisible()
  await expect(answer.locator('summary').getByText('2 steps')).toBeVisible()
  await expect(answer.getByRole('button', { name: '2 sources' })).toBeVisible()
  await expect(answer.getByRole('list', { name: 'Code runs' }).getByRole('listitem')).toHaveCount(1)
  await expect(answer.getByText('meter.csv')).toBeVisible()
})

test('an answer without words shows that it waits, unless a status says why', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  const chat = await openAdminChat(page, gateway)
  await chat.send('/silent')
  const waiting = chat.answers.last().getByText(/^Waiting for /)
  await expect(waiting).toBeAttached()
  await page.waitForURL(/\/c\//)
  const send = await toSender(gateway, chat)
  await send('status', { description: 'Looking around', done: false })
  await expect(chat.answers.last().getByText('Looking around')).toBeVisible()
  await expect(waiting).toHaveCount(0)
  await send('status', { description: 'Quiet', done: true, hidden: true })
  await expect(waiting).toBeAttached()
  await expect(waiting.locator('..')).toContainText(/[2-9] s/)
  await chat.stopButton.click()
  await chat.finished()
})

const BUTTONS = `"""
title: Buttons
description: Asks and marks.
"""
import asyncio
from pydantic import BaseModel, Field


class Action:
    actions = [
        {"id": "ask", "name": "Ask me", "icon_url": "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAyNCAyNCI+PGNpcmNsZSBjeD0iMTIiIGN5PSIxMiIgcj0iMTAiLz48L3N2Zz4="},
        {"id": "later", "name": "Ask later"},
        {"id": "mark", "name": "Mark it"},
        {"id": "break", "name": "Break"},
    ]

    def __init__(self):
        pass

    async def action(self, body, __user__=None, __event_emitter__=None, __event_call__=None, __id__=None):
        if __id__ == "break":
            print("about to break")
            raise ValueError("The button is broken")
        if __id__ == "mark":
            await __event_emitter__({"type": "chat:message:favorite", "data": {"favorite": True}})
            await __event_emitter__({"type": "chat:title", "data": {"title": "Named by a plugin"}})
            return
        if __id__ == "later":
            await asyncio.sleep(2)
            await __event_call__({"type": "confirmation", "data": {"title": "Still there?", "message": "Take your time."}})
            return
        sure = await __event_call__({"type": "confirmation", "data": {"title": "Really?", "message": "There is more to ask."}})
        name = await __event_call__({"type": "input", "data": {"title": "Name", "message": "", "placeholder": "Your name", "value": "Bo"}})
        secret = await __event_call__({"type": "input", "data": {"title": "Secret", "message": "", "type": "password"}})
        colour = await __event_call__({"type": "input", "data": {"title": "Colour", "message": "", "input": {"type": "select", "options": ["red", "green"]}}})
        page = await __event_call__({"type": "execute", "data": {"code": "return await Promise.resolve(document.documentElement.lang)"}})
        await __event_emitter__({"type": "notification", "data": {"type": "success", "content": f"{sure} {name} {secret} {colour} {page}"}})
`

async function addButtons(gateway: TestGateway): Promise<void> {
  await post(gateway, 'functions/create', {
    id: 'buttons',
    name: 'Buttons',
    content: BUTTONS,
    meta: {},
  })
  await post(gateway, 'functions/id/buttons/toggle', {})
  await post(gateway, 'functions/id/buttons/toggle/global', {})
}

test('buttons of a plugin ask what they need, mark and name, and break with their reason', async ({
  page,
  startOwnGateway,
}) => {
  test.skip(pluginPython === null, NO_PYTHON)
  const gateway = await startOwnGateway({ ...pluginEnvironment })
  await addButtons(gateway)
  const chat = await openAdminChat(page, gateway)
  const answer = await chat.ask('Hello')
  const names = await answer
    .getByRole('button', { name: /^(Ask me|Ask later|Mark it|Break)$/ })
    .evaluateAll((all) => all.map((each) => each.ariaLabel))
  expect(names).toEqual(['Ask me', 'Ask later', 'Mark it', 'Break'])
  await expect(answer.getByRole('button', { name: 'Ask me' }).locator('img')).toBeVisible()

  await answer.getByRole('button', { name: 'Ask me' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('There is more to ask.', FIRST_CALL)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Allow' }).click()
  await expect(dialog).toContainText('Name')
  await expect(dialog.getByRole('textbox')).toHaveValue('Bo')
  await dialog.getByRole('textbox').fill('Ida')
  await page.keyboard.press('Enter')
  await expect(dialog.locator('input[type="password"]')).toBeVisible()
  await dialog.locator('input').fill('hush')
  await page.keyboard.press('Enter')
  await dialog.getByRole('combobox').selectOption('green')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(notes(page).getByText('True Ida hush green en')).toBeVisible()

  await answer.getByRole('button', { name: 'Mark it' }).click()
  await expect(answer.getByRole('button', { name: 'Remove from favourites' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Named by a plugin')
  await answer.getByRole('button', { name: 'Break' }).click()
  await expect(notes(page).getByText('The button is broken')).toBeVisible()

  await page.reload()
  await expect(answer.getByRole('button', { name: 'Remove from favourites' })).toBeVisible()
  await chat.more(answer).click()
  await page.getByRole('menuitem', { name: 'How this answer was made' }).click()
  const panel = page.getByRole('complementary', { name: 'How this answer was made' })
  await expect(panel.getByRole('list', { name: 'Calls' }).getByRole('listitem')).toHaveCount(3)
  await panel.getByText('failed').click()
  await expect(panel.getByLabel('Error', { exact: true })).toContainText(
    'ValueError: The button is broken',
  )
  await expect(panel.getByLabel('Printed and logged', { exact: true })).toContainText(
    'about to break',
  )
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
})

test('a question finds the person on another page', async ({ page, startOwnGateway }) => {
  test.skip(pluginPython === null, NO_PYTHON)
  const gateway = await startOwnGateway({ ...pluginEnvironment })
  await addButtons(gateway)
  const chat = await openAdminChat(page, gateway)
  const answer = await chat.ask('Hello')
  await answer.getByRole('button', { name: 'Ask later' }).click()
  await page.getByRole('link', { name: 'Workspace' }).click()
  await expect(page.getByRole('dialog')).toContainText('From the chat “Hello”.', FIRST_CALL)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a question nobody answers in time goes away and says so', async ({
  page,
  startOwnGateway,
}) => {
  test.skip(pluginPython === null, NO_PYTHON)
  const gateway = await startOwnGateway({
    ...pluginEnvironment,
    WEBSOCKET_EVENT_CALLER_TIMEOUT: '3',
  })
  await addButtons(gateway)
  const chat = await openAdminChat(page, gateway)
  const answer = await chat.ask('Hello')
  await answer.getByRole('button', { name: 'Ask me' }).click()
  await expect(
    notes(page).getByText('A question was closed because it was not answered in time'),
  ).toBeVisible(FIRST_CALL)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

const WEATHER = `"""
title: Weather
description: Tells the weather.
"""
from pydantic import BaseModel, Field


class Tools:
    class UserValves(BaseModel):
        unit: str = Field(default="celsius", description="How warmth is told")

    def __init__(self):
        pass

    async def get_weather(self, city: str, days: int, __event_emitter__=None, __user__=None) -> str:
        """
        Tells the weather of a city.
        :param city: Where
        :param days: How many days
        """
        print("asking the sky")
        await __event_emitter__({"type": "status", "data": {"description": "Asked the sky", "done": True}})
        if __user__["valves"].unit == "broken":
            raise RuntimeError("The thermometer is broken")
        return f"{days} days of sun in {city}, in {__user__['valves'].unit}"
`

test('a call of a tool opens to all that happened in it, and a person has settings of their own', async ({
  page,
  startOwnGateway,
}) => {
  test.skip(pluginPython === null, NO_PYTHON)
  const gateway = await startOwnGateway({ ...pluginEnvironment })
  await post(gateway, 'tools/create', {
    id: 'weather',
    name: 'Weather',
    content: WEATHER,
    meta: { description: 'Tells the weather.' },
  })
  const chat = await openAdminChat(page, gateway)
  await page.getByRole('button', { name: /^Tools: / }).click()
  await page.getByRole('switch', { name: 'Weather' }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await chat.send('/tools')
  const answer = chat.answers.last()
  await answer.getByText('Used get_weather').click(FIRST_CALL)
  await expect(answer.getByLabel('Result', { exact: true })).toContainText(
    '2 days of sun in Örebro, in celsius',
  )
  await expect(answer.getByLabel('Arguments', { exact: true })).toContainText('"days": 2')
  await expect(answer.getByLabel('Printed and logged', { exact: true })).toContainText(
    'asking the sky',
  )
  await expect(answer.getByLabel('Events', { exact: true })).toContainText('Asked the sky')
  await chat.finished()
  await expectAccessible(page)

  await page.getByRole('button', { name: /^Tools: / }).click()
  await page.getByRole('button', { name: 'My settings for Weather' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('broken')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.setViewportSize({ width: 360, height: 740 })
  await chat.send('/tools again')
  const failed = chat.answers.last().getByText('get_weather failed: The thermometer is broken')
  await expect(failed).toBeVisible(FIRST_CALL)
  await expect(chat.answers.last()).not.toContainText('Traceback')
  await failed.click()
  await expect(chat.answers.last().getByLabel('Error', { exact: true })).toContainText(
    'The thermometer is broken',
  )
  await expect(chat.answers.last().getByLabel('Traceback', { exact: true })).toBeHidden()
  await chat.answers.last().getByText('Traceback', { exact: true }).first().click()
  await expect(chat.answers.last().getByLabel('Traceback', { exact: true })).toContainText(
    'raise RuntimeError',
  )
  await chat.finished()
  await expectAccessible(page)
})
