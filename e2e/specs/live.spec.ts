import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { openAdminChat } from '../open-chat.ts'

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `word${index + 1}`)

test('a second window and a reload in mid-answer show the same stream, no word twice or missing', async ({
  chat,
  context,
  gateway,
}) => {
  await chat.open()
  await chat.send('/slow 80')
  await expect(chat.answers.last()).toContainText('word5')
  const second = new ChatPage(await context.newPage(), gateway.url)
  await second.open(chat.path())
  await expect(second.answers.last()).toContainText('word10')
  await chat.page.reload()
  await second.finished()
  await chat.finished()
  expect(await chat.words()).toEqual(numbered(80))
  expect(await second.words()).toEqual(numbered(80))
})

test('what is asked in one window is answered in the other', async ({ chat, context, gateway }) => {
  await chat.open()
  await chat.ask('/echo hello')
  const second = new ChatPage(await context.newPage(), gateway.url)
  await second.open(chat.path())
  await expect(second.answers).toHaveCount(1)
  await chat.ask('/echo across windows')
  await expect(second.answers.last()).toContainText('across windows')
  await expect(second.userMessages).toHaveCount(2)
})

test('an answer can be stopped from another window', async ({ chat, context, gateway }) => {
  await chat.open()
  await chat.sendWithoutEnd()
  const second = new ChatPage(await context.newPage(), gateway.url)
  await second.open(chat.path())
  await second.stopButton.click()
  await expect(chat.answers.last()).toContainText('Stopped.')
  await expect(second.answers.last()).toContainText('Stopped.')
})

test('a slow reading of the chat never undoes an answer that is finished', async ({ chat }) => {
  await chat.page.route('**/api/v1/chats/*/branch*', async (route) => {
    const response = await route.fetch()
    await expect(chat.stopButton).toHaveCount(0)
    await route.fulfill({ response })
  })
  await chat.open()
  await chat.send('/echo quick as lightning')
  await expect(chat.answers.last()).toContainText('quick as lightning')
  await expect(chat.chatList.getByRole('link')).toHaveText(['/echo quick as lightning'])
  await chat.finished()
  await chat.ask('/echo and once more')
})

test('leaving a chat in mid-answer and coming back shows the rest', async ({ chat, chatList }) => {
  await chat.open()
  await chat.send('/slow 40')
  await expect(chat.answers.last()).toContainText('word3')
  await chatList.newChatButton.click()
  await expect(chat.answers).toHaveCount(0)
  await chatList.row('/slow 40').click()
  await chat.finished()
  expect(await chat.words()).toEqual(numbered(40))
})

test('killed in mid-answer, the gateway comes back, the window reconnects and the message has an end', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  const chat = await openAdminChat(page, gateway)
  await chat.send('/slow 400')
  await expect(chat.answers.last()).toContainText('word20')
  await chat.composer.fill('a draft')
  await gateway.crash()
  await expect(page.getByText('Reconnecting')).toBeVisible()
  await gateway.restart()
  await expect(chat.answers.last()).toContainText('The answer was cut off')
  await expect(chat.answers.last()).toContainText('word5')
  await expect(page.getByText('Reconnecting')).toHaveCount(0)
  await expect(chat.stopButton).toHaveCount(0)
  await expect(chat.composer).toHaveValue('a draft')
  await chat.ask('/echo back again')
  await expect(chat.answers.last()).toContainText('back again')
})
