import { ChatPage } from '../pages/chat-page.ts'
import { expect, test } from '../fixtures.ts'

const QUESTIONS = 7

test('many questions in a row are answered, and what is read above stays while more comes', async ({
  chat,
}) => {
  test.slow()
  await chat.open()
  for (let number = 1; number <= QUESTIONS; number += 1) await chat.ask(`Question ${number}`)
  await chat.page.waitForURL(/\/c\//)
  await chat.conversation.evaluate((view) => (view.scrollTop = 0))
  const first = chat.userMessages.filter({ hasText: /^.*Question 1$/ }).first()
  await expect(first).toBeVisible()
  await chat.conversation.evaluate((view) => (view.scrollTop = 0))
  const drawn = await first.elementHandle()

  const other = new ChatPage(await chat.page.context().newPage(), chat.url)
  await other.open(chat.path())
  await other.ask('From another window')
  await expect(chat.page.getByRole('button', { name: /new message/i })).toBeVisible()
  expect(await drawn!.evaluate((row) => row.isConnected)).toBe(true)
})
