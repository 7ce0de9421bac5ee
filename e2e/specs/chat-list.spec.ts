import type { APIRequestContext } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

const DAY = 86_400_000

async function createChat(api: APIRequestContext, url: string, title: string): Promise<string> {
  const response = await api.post(`${url}/api/v1/chats/new`, { data: { chat: { title } } })
  expect(response.ok()).toBe(true)
  return ((await response.json()) as { id: string }).id
}

test('an empty list says what will stand there', async ({ chat, chatList }) => {
  await chat.open()
  await expect(chatList.list).toContainText('No chats yet')
})

test('a chat is renamed from its menu, and Escape leaves the title as it was', async ({
  chat,
  chatList,
}) => {
  await chat.open()
  await chat.ask('/echo about gardens')
  await chatList.choose('/echo about gardens', 'Rename')
  await chatList.titleBox.fill('never mind')
  await chatList.titleBox.press('Escape')
  await expect(chatList.row('/echo about gardens')).toBeFocused()
  await chatList.choose('/echo about gardens', 'Rename')
  await chatList.titleBox.fill('Gardens')
  await chatList.titleBox.press('Enter')
  await expect(chatList.row('Gardens')).toBeVisible()
  await expect(chat.page).toHaveTitle('Gardens · Chat Gateway')
  await chat.page.reload()
  await expect(chatList.row('Gardens')).toBeVisible()
})

test('pinned chats stand on top until they are unpinned', async ({ chat, chatList }) => {
  await createChat(chat.page.request, chat.url, 'Older')
  await createChat(chat.page.request, chat.url, 'Newer')
  await chat.open()
  await chatList.choose('Older', 'Pin')
  await expect(chatList.group('Pinned').getByRole('link')).toHaveText(['Older'])
  await expect(chatList.rows).toHaveText(['Older', 'Newer'])
  await chat.page.reload()
  await expect(chatList.group('Pinned').getByRole('link')).toHaveText(['Older'])
  await chatList.choose('Older', 'Unpin')
  await expect(chatList.group('Pinned')).toHaveCount(0)
})

test('a deleted chat comes back with undo, and its messages with it', async ({
  chat,
  chatList,
}) => {
  await chat.open()
  await chat.ask('/echo keep these words')
  const path = chat.path()
  await chatList.choose('/echo keep these words', 'Delete')
  await expect(chatList.row('/echo keep these words')).toHaveCount(0)
  await expect(chat.answers).toHaveCount(0)
  await chatList.undo()
  await expect(chatList.row('/echo keep these words')).toBeVisible()
  await expect(chat.answers.last()).toContainText('keep these words')
  expect(chat.path()).toBe(path)
})

test('a deletion without undo stays, in every window', async ({ chat, chatList, context }) => {
  await createChat(chat.page.request, chat.url, 'To be gone')
  await chat.open()
  const other = await context.newPage()
  await other.goto(chat.url)
  const otherRow = other
    .getByRole('navigation', { name: 'Chats' })
    .getByRole('link', { name: 'To be gone' })
  await expect(otherRow).toBeVisible()
  await chatList.choose('To be gone', 'Delete')
  await expect(chatList.note('“To be gone” was moved to the trash.')).toBeVisible()
  await expect(otherRow).toHaveCount(0)
  await chat.page.reload()
  await expect(chatList.list).toContainText('No chats yet')
})

test('the search finds a word of a branch that is not shown and jumps to its message', async ({
  chat,
  chatList,
}) => {
  await chat.open()
  const beginning = 'longer than any title that is made of it '.repeat(3)
  await chat.ask(`/echo ${beginning} zebra crossing`)
  await chat.edit(chat.userMessages.first(), `/echo ${beginning} giraffe house`)
  await expect(chat.answers.last()).toContainText('giraffe house')
  await chat.finished()
  await chatList.newChatButton.click()
  await chatList.searchBox.fill('zebra')
  await expect(chatList.rows.first().locator('mark').first()).toHaveText('zebra')
  await chatList.searchBox.press('ArrowDown')
  await expect(chatList.rows.first()).toBeFocused()
  await chat.page.keyboard.press('Enter')
  const found = chat.page.getByRole('article').filter({ hasText: 'zebra crossing' })
  await expect(found.first()).toBeInViewport()
  await expect(chat.page.getByText('giraffe house')).toHaveCount(0)
  const marked = (): Promise<string[]> =>
    chat.page.evaluate(() => [...(CSS.highlights.get('sought') ?? [])].map(String))
  await expect.poll(marked).toEqual(expect.arrayContaining(['zebra']))
  await chatList.searchBox.press('Escape')
  await expect(chatList.searchBox).toHaveValue('')
  await expect.poll(marked).toEqual([])
  await expect(chatList.group('Today')).toBeVisible()
})

test('a search without a hit says so', async ({ chat, chatList }) => {
  await chat.open()
  await chatList.searchBox.fill('nothing of this kind')
  await expect(chatList.list).toContainText('No results for “nothing of this kind”')
  await chat.page.getByRole('button', { name: 'Clear search' }).click()
  await expect(chatList.searchBox).toBeFocused()
  await expect(chatList.list).toContainText('No chats yet')
})

test('a chat in which an answer is being written has a spinner, also in another window', async ({
  chat,
  chatList,
  context,
}) => {
  await chat.open()
  await chat.sendWithoutEnd()
  await expect(chatList.row('/stall')).toContainText('An answer is being written')
  const other = await context.newPage()
  await other.goto(chat.url)
  const otherRow = other
    .getByRole('navigation', { name: 'Chats' })
    .getByRole('link')
    .filter({ hasText: '/stall' })
  await expect(otherRow).toContainText('An answer is being written')
  await chat.stopButton.click()
  await expect(chatList.row('/stall')).not.toContainText('An answer is being written')
  await expect(otherRow).not.toContainText('An answer is being written')
})

test('a chat that a script writes appears in the open window', async ({ chat, chatList }) => {
  await chat.open()
  await createChat(chat.page.request, chat.url, 'From a script')
  await expect(chatList.row('From a script')).toBeVisible()
})

for (const [days, group] of [
  [1, 'Yesterday'],
  [5, 'Previous 7 days'],
  [20, 'Previous 30 days'],
] as const) {
  test(`${days} days later a chat stands under “${group}”`, async ({ chat, chatList }) => {
    await createChat(chat.page.request, chat.url, 'Some chat')
    await chat.page.clock.setFixedTime(Date.now() + days * DAY)
    await chat.open()
    await expect(chatList.group(group).getByRole('link')).toHaveText(['Some chat'])
  })
}

test('chats of long ago stand under their month', async ({ chat, chatList }) => {
  await createChat(chat.page.request, chat.url, 'Some chat')
  const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' }).format(new Date())
  await chat.page.clock.setFixedTime(Date.now() + 400 * DAY)
  await chat.open()
  await expect(chatList.group(month).getByRole('link')).toHaveText(['Some chat'])
})

test('a long list is read on while it is scrolled', async ({ chat, chatList }) => {
  const titles = Array.from({ length: 130 }, (_, index) => `Chat number ${index + 1}`)
  for (const title of titles) await createChat(chat.page.request, chat.url, title)
  await chat.open()
  await expect(chatList.rows).toHaveCount(60)
  await chatList.rows.last().scrollIntoViewIfNeeded()
  await expect(chatList.rows).toHaveCount(120)
  await chatList.rows.last().scrollIntoViewIfNeeded()
  await expect(chatList.rows).toHaveText([...titles].reverse())
})

test('the whole list works from the keyboard: arrows, F2 and Delete', async ({
  chat,
  chatList,
}) => {
  for (const title of ['Third', 'Second', 'First'])
    await createChat(chat.page.request, chat.url, title)
  await chat.open()
  await chatList.row('First').focus()
  await chat.page.keyboard.press('ArrowDown')
  await expect(chatList.row('Second')).toBeFocused()
  await chat.page.keyboard.press('End')
  await expect(chatList.row('Third')).toBeFocused()
  await chat.page.keyboard.press('Home')
  await expect(chatList.row('First')).toBeFocused()
  await chat.page.keyboard.press('F2')
  await chatList.titleBox.fill('Renamed')
  await chatList.titleBox.press('Enter')
  await expect(chatList.row('Renamed')).toBeFocused()
  await chat.page.keyboard.press('Delete')
  await expect(chatList.row('Renamed')).toHaveCount(0)
  await chatList.undo()
  await expect(chatList.row('Renamed')).toBeVisible()
})
