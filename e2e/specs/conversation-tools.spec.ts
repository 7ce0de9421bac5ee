import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { openChat } from '../open-chat.ts'
import { ChatToolsPage } from '../pages/chat-tools-page.ts'

test('follow-up questions stand under the last answer; a click asks one and the pencil lets it be changed', async ({
  chat,
}) => {
  const tools = new ChatToolsPage(chat.page)
  await chat.open()
  await chat.ask('/echo suggest follow-ups')
  await expect(tools.followUps.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(chat.page)
  await chat.page.reload()
  await tools.followUps
    .getByRole('button', { name: 'Edit before sending: What comes second?' })
    .click()
  await expect(chat.composer).toHaveValue('What comes second?')
  await chat.composer.fill('')
  await tools.followUps.getByRole('button', { name: 'What comes first?', exact: true }).click()
  await expect(chat.userMessages.last()).toContainText('What comes first?')
  await chat.finished()
})

test('what an answer took and cost stands under it, and the chat has totals', async ({
  startOwnGateway,
  browser,
}) => {
  const gateway = await startOwnGateway()
  const headers = {
    Authorization: `Bearer ${gateway.adminToken}`,
    'Content-Type': 'application/json',
  }
  const prices = [{ model: 'te*', input: 2, output: 4, currency: 'EUR' }]
  await fetch(`${gateway.url}/api/v1/models/prices`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ prices }),
  })
  const own = await openChat(browser, gateway)
  const tools = new ChatToolsPage(own.page)
  await own.open()
  await own.ask('hello')
  const usage = tools.usage(own.answers.last())
  await expect(usage).toContainText(/\d s/)
  await expect(usage).toContainText('€0.00005')
  await usage.click()
  await expect(own.page.getByRole('dialog', { name: 'Time, tokens and cost' })).toContainText(
    'Input tokens',
  )
  await own.page.keyboard.press('Escape')
  await tools.choose('Tokens and cost')
  await expect(tools.totals.getByRole('row', { name: /text/ })).toContainText('€0.00005')
  await expectAccessible(own.page)
  await own.page.context().close()
})

test('a temporary chat answers, is nowhere stored, and can be kept after all', async ({
  chat,
  chatList,
}) => {
  const tools = new ChatToolsPage(chat.page)
  await chat.open()
  await tools.temporaryButton.click()
  await expect(tools.temporaryNote).toContainText('it is not saved')
  await expectAccessible(chat.page)
  await chat.ask('/echo nobody keeps this')
  await chat.ask('/echo nor this')
  await chat.regenerate(chat.answers.last())
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
  await chat.showPreviousVersion(chat.answers.last())
  await expect(chat.versions(chat.answers.last())).toContainText('Version 1 of 2')
  expect(chat.path()).toBe('/')
  await expect(chatList.rows).toHaveCount(0)
  await tools.saveButton.click()
  await expect(chatList.row('/echo nobody keeps this')).toBeVisible()
  await expect(tools.temporaryNote).toHaveCount(0)
  await chat.page.reload()
  await expect(chat.userMessages).toHaveCount(2)
  await expect(chat.versions(chat.answers.last())).toContainText('Version 1 of 2')
})

test('the controls of a chat are sent along, kept with it, and can be reset', async ({
  chat,
  upstream,
}) => {
  const tools = new ChatToolsPage(chat.page)
  await chat.open()
  await tools.openControls()
  await tools.controls
    .getByRole('textbox', { name: 'Instructions for this chat' })
    .fill('Answer like a pirate.')
  const temperature = tools.controls.getByRole('spinbutton', { name: 'Temperature' })
  await expect(temperature).toBeHidden()
  await tools.controls.getByText('How the model writes', { exact: true }).click()
  await temperature.fill('0.3')
  await expectAccessible(chat.page)
  await chat.ask('/echo with controls')
  const sent = upstream.requests.find((request) => request.text.includes('/echo with controls'))!
  expect(sent.text).toContain('Answer like a pirate.')
  expect(JSON.parse(sent.text)).toMatchObject({ temperature: 0.3 })
  await chat.page.reload()
  await tools.openControls()
  await expect(
    tools.controls.getByRole('textbox', { name: 'Instructions for this chat' }),
  ).toHaveValue('Answer like a pirate.')
  await tools.controls.getByRole('button', { name: 'Reset to defaults' }).click()
  await expect(tools.controls.getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('')
  await chat.page.keyboard.press('Escape')
  await expect(tools.controls).toHaveCount(0)
})

test('find goes through the whole chat, also to messages that are not drawn', async ({ chat }) => {
  const tools = new ChatToolsPage(chat.page)
  const ids = Array.from({ length: 60 }, (_, index) => `m${index}`)
  const messages = ids.map((id, index) => ({
    id,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: index < 2 ? `the needle is here ${index}` : `hay ${index}`,
    parentId: ids[index - 1] ?? null,
    childrenIds: ids[index + 1] === undefined ? [] : [ids[index + 1]],
    timestamp: index,
  }))
  const history = {
    currentId: ids.at(-1),
    messages: Object.fromEntries(messages.map((message) => [message.id, message])),
  }
  const created = await chat.page.request.post(`${chat.url}/api/v1/chats/new`, {
    data: { chat: { title: 'Long', history } },
  })
  const { id } = (await created.json()) as { id: string }
  await chat.open(`/c/${id}`)
  await expect(chat.answers.last()).toContainText('hay 59')
  await chat.page.keyboard.press('ControlOrMeta+f')
  await chat.page.keyboard.type('NEEDLE')
  await expect(tools.findBox).toHaveValue('NEEDLE')
  await expect(chat.page.getByText('2 of 2')).toBeVisible()
  await expect(chat.answers.first()).toBeInViewport()
  await expect(tools.findBox).toBeFocused()
  await expect(chat.composer).toBeInViewport({ ratio: 1 })
  expect(
    await chat.conversation.evaluate((view) => view.parentElement!.parentElement!.scrollTop),
  ).toBe(0)
  await chat.page.keyboard.press('Shift+Enter')
  await expect(chat.page.getByText('1 of 2')).toBeVisible()
  await expectAccessible(chat.page)
  await chat.page.keyboard.press('Escape')
  await expect(tools.findBox).toHaveCount(0)
})

test('the map shows every branch, and a click leads to a message of another one', async ({
  chat,
}) => {
  const tools = new ChatToolsPage(chat.page)
  await chat.open()
  await chat.ask('/echo root')
  await chat.edit(chat.userMessages.first(), '/echo other root')
  await expect(chat.answers).toHaveText([/other root/])
  await chat.finished()
  await tools.choose('Branch map')
  await expect(tools.mapRows).toHaveCount(4)
  await expectAccessible(chat.page)
  await tools.mapRows.first().click()
  await expect(chat.userMessages.first()).toContainText('/echo root')
  await expect(tools.mapRows.first()).toHaveAttribute('aria-current', 'true')
})

test('an address asks a question, chooses models and writes into the box', async ({ chat }) => {
  await chat.open('/?q=%2Fecho%20from%20the%20address')
  await expect(chat.composer).toHaveValue('/echo from the address')
  await expect(chat.page.getByRole('region', { name: 'Notifications' })).toContainText(
    'This question came from a link.',
  )
  await expect(chat.answers).toHaveCount(0)
  await chat.composer.press('Enter')
  await expect(chat.answers.last()).toContainText('from the address')
  await expect(chat.page).toHaveURL(/\/c\//)
  await chat.page.goto(`${chat.url}/?q=only%20written&submit=false&models=reasoning,text`)
  await expect(chat.composer).toHaveValue('only written')
  await expect(chat.modelButton).toHaveAccessibleName('Model: reasoning')
  await expect(chat.page.getByRole('button', { name: 'Do not ask text' })).toBeVisible()
  expect(new URL(chat.page.url()).search).toBe('')
  await chat.page.goto(`${chat.url}/?shared=a%20shared%20text&tools=unknown&temporary-chat=true`)
  await expect(chat.composer).toHaveValue('only written\n\na shared text')
  await expect(new ChatToolsPage(chat.page).temporaryNote).toBeVisible()
})

test('row 119: a question in an address is sent at once only for who wants that', async ({
  chat,
  settings,
}) => {
  await settings.open('appearance')
  const saved = chat.page.waitForResponse(
    (response) => response.url().endsWith('/user/settings/update') && response.ok(),
  )
  await settings.page.getByRole('switch', { name: 'Send questions from links at once' }).click()
  await saved
  await chat.open('/?q=%2Fecho%20sent%20at%20once')
  await expect(chat.answers.last()).toContainText('sent at once')
})

test('the ways to begin are those an administrator chose', async ({ startOwnGateway, browser }) => {
  const gateway = await startOwnGateway()
  const headers = {
    Authorization: `Bearer ${gateway.adminToken}`,
    'Content-Type': 'application/json',
  }
  const suggestions = [
    { title: ['Plan my week', 'with small steps'], content: 'Make a plan for my week.' },
  ]
  await fetch(`${gateway.url}/api/v1/configs/suggestions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ suggestions }),
  })
  const chat = await openChat(browser, gateway)
  await chat.open()
  await chat.page.getByRole('button', { name: /Plan my week/ }).click()
  await expect(chat.composer).toHaveValue('Make a plan for my week.')
  await chat.page.context().close()
})

test('what tools attach is drawn in a frame without origin, and pages elsewhere are only linked', async ({
  chat,
}) => {
  const script = `document.querySelector('b').textContent = self.origin; try { parent.document.title = 'taken' } catch { document.body.append(' kept out') }`
  const answer = {
    id: 'a1',
    role: 'assistant',
    content: 'With things attached',
    parentId: 'q1',
    childrenIds: [],
    timestamp: 2,
    embeds: [`<b>waiting</b><script>${script}</script>`, 'https://elsewhere.example/page'],
    files: [{ type: 'file', name: 'report.pdf', url: 'https://elsewhere.example/report.pdf' }],
  }
  const question = {
    id: 'q1',
    role: 'user',
    content: 'Show me',
    parentId: null,
    childrenIds: ['a1'],
    timestamp: 1,
  }
  const history = { currentId: 'a1', messages: { q1: question, a1: answer } }
  const created = await chat.page.request.post(`${chat.url}/api/v1/chats/new`, {
    data: { chat: { title: 'Attached', history } },
  })
  await chat.open(`/c/${((await created.json()) as { id: string }).id}`)
  const frame = chat.page.frameLocator('iframe[title="Embedded content 1"]')
  await expect(frame.locator('body')).toContainText('kept out')
  await expect(frame.locator('b')).toHaveText('null')
  await expect(
    chat.answers.last().getByRole('link', { name: 'https://elsewhere.example/page' }),
  ).toBeVisible()
  await expect(chat.answers.last().getByText('report.pdf')).toBeVisible()
  await expect(chat.page).not.toHaveTitle('taken')
})

test('an answer that fails for its connection leads to the form of that connection', async ({
  chat,
}) => {
  await chat.open()
  const answer = await chat.ask('/error 401')
  await chat.waitForKeyForm(answer)
  await chat.more(answer).click()
  await chat.page.getByRole('menuitem', { name: 'Open connection settings' }).click()
  await expect(chat.page).toHaveURL(/\/settings\/connections/)
  await expect(chat.page.getByRole('dialog').getByLabel('API key', { exact: true })).toBeVisible()
})
