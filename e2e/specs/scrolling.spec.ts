import { randomUUID } from 'node:crypto'
import { expect, test } from '../fixtures.ts'
import type { ChatPage } from '../pages/chat-page.ts'

test.use({ reducedMotion: 'no-preference' })

/** Returns the distance of the top of a message from the top of the window. */
const topOf = (chat: ChatPage): Promise<number> =>
  chat.answers.first().evaluate((element) => element.getBoundingClientRect().top)

test('while an answer grows, whoever scrolled up stays where they are, and a button leads back', async ({
  chat,
}) => {
  await chat.open()
  await chat.ask('/long 1500')
  await chat.send('/slow 400')
  await expect(chat.answers.last()).toContainText('word5')
  await chat.conversation.hover()
  await chat.page.mouse.wheel(0, -700)
  await expect(chat.latestButton).toBeVisible()
  await chat.standsStill()
  const before = await topOf(chat)
  const seen = (await chat.words()).length
  await expect(chat.answers.last()).toContainText(`word${seen + 30}`)
  expect(Math.abs((await topOf(chat)) - before)).toBeLessThanOrEqual(1)
  await chat.latestButton.click()
  await expect(chat.answers.last()).toBeInViewport()
  await expect(chat.latestButton).toHaveCount(0)
  await chat.stopButton.click()
})

test('scrolling up with the keyboard is respected too', async ({ chat }) => {
  await chat.open()
  await chat.ask('/long 1500')
  await chat.send('/slow 400')
  await expect(chat.answers.last()).toContainText('word5')
  await chat.conversation.focus()
  await chat.page.keyboard.press('PageUp')
  await expect(chat.latestButton).toBeVisible()
  await chat.standsStill()
  const before = await topOf(chat)
  const seen = (await chat.words()).length
  await expect(chat.answers.last()).toContainText(`word${seen + 20}`)
  expect(Math.abs((await topOf(chat)) - before)).toBeLessThanOrEqual(1)
  await chat.stopButton.click()
})

test('whoever stays at the end sees the newest words', async ({ chat }) => {
  await chat.page.setViewportSize({ width: 800, height: 420 })
  await chat.open()
  await chat.send('/slow 400')
  await expect(chat.answers.last()).toContainText('word150', { timeout: 20_000 })
  const distance = await chat.conversation.evaluate(
    (view) => view.scrollHeight - view.clientHeight - view.scrollTop,
  )
  expect(distance).toBeLessThanOrEqual(48)
  await chat.stopButton.click()
})

test('sending shows the new turn, wherever the reader was and however the turn before it ended', async ({
  chat,
}) => {
  await chat.open()
  await chat.ask('/long 1500')
  await chat.conversation.hover()
  await chat.page.mouse.wheel(0, -5000)
  await expect(chat.latestButton).toBeVisible()
  await chat.ask('/reasoning')
  await expect(chat.latestButton).toHaveCount(0)
  await chat.ask('/error 503')
  await expect(chat.latestButton).toHaveCount(0)
  await chat.sendWithoutEnd()
  await expect(chat.latestButton).toHaveCount(0)
  await chat.stopButton.click()
})

test('after several failed turns in a row the last failure is still shown in full', async ({
  chat,
}) => {
  await chat.page.setViewportSize({ width: 1280, height: 800 })
  await chat.open()
  for (const question of [
    '/reasoning',
    '/error 503',
    '/busy 40',
    '/error 401',
    '/atmost 1',
    '/halves break end',
  ]) {
    const answer = await chat.ask(question)
    await expect(chat.latestButton).toHaveCount(0)
    await expect(answer).toBeInViewport({ ratio: 0.9 })
  }
})

test('what arrives while somebody reads further up is counted', async ({ chat }) => {
  await chat.open()
  await chat.ask('/long 2000')
  await chat.conversation.hover()
  await chat.page.mouse.wheel(0, -900)
  await expect(chat.latestButton).toBeVisible()
  await addTurn(chat)
  await expect(
    chat.page
      .getByRole('button', { name: '1 new message' })
      .or(chat.page.getByRole('button', { name: '2 new messages' })),
  ).toBeVisible()
})

/** Adds a question below the last message, as a script would. */
async function addTurn(chat: ChatPage): Promise<void> {
  const parentId = await chat.answers.last().getAttribute('data-message-id')
  const id = randomUUID()
  const message = {
    id,
    role: 'user',
    content: 'from elsewhere',
    parentId,
    childrenIds: [],
    timestamp: 1,
  }
  const response = await chat.page.request.post(
    `${chat.url}/api/v1/chats/${chat.path().slice('/c/'.length)}`,
    {
      data: { chat: { history: { currentId: id, messages: { [id]: message } } } },
    },
  )
  expect(response.ok(), await response.text()).toBe(true)
}

test('a chat of three hundred messages opens at its end and reads back to its beginning', async ({
  chat,
}) => {
  const ids = Array.from({ length: 300 }, () => randomUUID())
  const messages = ids.map((id, index) => ({
    id,
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `This is message number ${index + 1}.`,
    parentId: ids[index - 1] ?? null,
    childrenIds: ids[index + 1] ? [ids[index + 1]] : [],
    timestamp: 1_700_000_000 + index,
    done: true,
  }))
  const created = await chat.page.request.post(`${chat.url}/api/v1/chats/new`, {
    data: {
      chat: {
        title: 'A long one',
        history: {
          currentId: ids.at(-1),
          messages: Object.fromEntries(messages.map((each) => [each.id, each])),
        },
      },
    },
  })
  const { id } = (await created.json()) as { id: string }
  await chat.open(`/c/${id}`)
  await expect(chat.page.getByText('This is message number 300.')).toBeInViewport()
  const first = chat.page.getByText('This is message number 1.', { exact: true })
  // A key scrolls there in one step, and so does a button.
  await chat.conversation.focus()
  await chat.page.keyboard.press('Home')
  await expect(first).toBeInViewport()
  await chat.page.reload()
  await expect(chat.page.getByText('This is message number 300.')).toBeInViewport()
  await chat.conversation.hover()
  await chat.page.mouse.wheel(0, -300)
  await chat.page.getByRole('button', { name: 'Go to first message' }).click()
  await expect(first).toBeInViewport()
  await chat.page.reload()
  await expect(chat.page.getByText('This is message number 300.')).toBeInViewport()
  await chat.conversation.hover()
  await expect(async () => {
    await chat.page.mouse.wheel(0, -20_000)
    await expect(first).toBeInViewport({ timeout: 250 })
  }).toPass()
  await expect(chat.page.getByRole('article')).toHaveCount(300)
})

test('the end stays in view while failures above it fold', async ({ chat }) => {
  await chat.open()
  for (const question of [
    '/reasoning',
    '/error 503',
    '/busy 40',
    '/error 401',
    '/atmost 1',
    '/halves break end',
  ]) {
    await chat.ask(question)
    const distance = (): Promise<number> =>
      chat.conversation.evaluate(
        ({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop,
      )
    await chat.standsStill()
    expect(await distance()).toBeLessThan(3)
  }
})
