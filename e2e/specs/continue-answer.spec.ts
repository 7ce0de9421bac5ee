import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'

const continueOf = (chat: ChatPage) =>
  chat.answers.last().getByRole('button', { name: 'Continue', exact: true })

test('an answer that was stopped goes on as the same message, once more after a reload', async ({
  chat,
}) => {
  await chat.open()
  await chat.send('/halves never never')
  await expect(chat.answers.last()).toContainText('The first half,')
  await chat.stopButton.click()
  await expect(chat.answers.last()).toContainText('Stopped.')
  await continueOf(chat).click()
  await expect(chat.answers.last()).toContainText('The first half, the second half')
  await expect(chat.answers.last()).not.toContainText('Stopped.')
  await expect(chat.answers).toHaveCount(1)
  await chat.stopButton.click()
  await expect(chat.answers.last()).toContainText('Stopped.')
  await chat.page.reload()
  await expect(chat.answers.last()).toContainText('The first half, the second half')
  await continueOf(chat).click()
  await expect(chat.answers.last()).toContainText('the second half the second half')
  await chat.stopButton.click()
  await expect(chat.answers).toHaveCount(1)
  await expect(chat.userMessages).toHaveCount(1)
})

test('an answer at its length limit says so, and two windows and a reload see it go on', async ({
  chat,
  context,
  gateway,
}) => {
  await chat.open()
  await chat.ask('/halves limit slow')
  await expect(chat.answers.last()).toContainText('The answer reached its length limit.')
  const second = new ChatPage(await context.newPage(), gateway.url)
  await second.open(chat.path())
  await expect(continueOf(second)).toBeVisible()
  await continueOf(chat).click()
  await expect(second.stopButton).toBeVisible()
  await expect(second.answers.last()).toContainText('word3')
  await chat.page.reload()
  const words = Array.from({ length: 40 }, (_, index) => `word${index + 1}`)
  for (const window of [second, chat]) {
    await expect(window.answers.last()).toContainText('word40', { timeout: 15_000 })
    await window.finished()
    await expect(window.answers.last()).toContainText('The first half, the second half word1 ')
    expect(await window.words()).toEqual(words)
    await expect(continueOf(window)).toHaveCount(0)
    await expect(window.answers.last()).not.toContainText('length limit')
  }
})

test('a break while an answer goes on loses neither part, and the palette goes on too', async ({
  chat,
}) => {
  await chat.open()
  await chat.ask('/halves break break')
  await expect(chat.answers.last()).toContainText('The answer was cut off')
  await continueOf(chat).click()
  await expect(chat.answers.last()).toContainText('The first half, the second half')
  await expect(chat.answers.last()).toContainText('The answer was cut off')
  await chat.finished()
  await chat.page.keyboard.press('Control+k')
  await chat.page.getByRole('combobox').fill('Continue the answer')
  await chat.page.keyboard.press('Enter')
  await expect(chat.answers.last()).toContainText('the second half the second half')
  await chat.ask('/echo whole')
  await expect(continueOf(chat)).toHaveCount(0)
})

test('in a temporary chat an answer goes on as well', async ({ chat }) => {
  await chat.open('/?temporary-chat=true')
  await chat.ask('/halves limit end')
  await continueOf(chat).click()
  await expect(chat.answers.last()).toContainText('The first half, the second half')
  await chat.finished()
  await expect(continueOf(chat)).toHaveCount(0)
})
