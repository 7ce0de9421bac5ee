import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'

const starLast = async (chat: ChatPage): Promise<void> => {
  await chat.more(chat.answers.last()).click()
  await chat.page.getByRole('menuitem', { name: /favourite/i }).click()
}

test('starred messages of all chats are one list that lives, leads to the message and is searched', async ({
  chat,
  context,
  gateway,
}) => {
  await chat.open()
  const list = await context.newPage()
  await list.goto(`${gateway.url}/starred`)
  await expect(list.getByText('No favourite messages yet')).toBeVisible()
  await chat.ask('/echo about whales')
  await starLast(chat)
  const rows = list.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await chat.open('/')
  await chat.ask('/echo about birds')
  await starLast(chat)
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('birds')

  const search = list.getByRole('searchbox', { name: 'Search favourites' })
  await search.fill('whales')
  await expect(rows).toHaveCount(1)
  await search.fill('elephants')
  await expect(list.getByText('No results for “elephants”')).toBeVisible()
  await search.fill('')
  await expect(rows).toHaveCount(2)

  await rows.first().getByRole('link').focus()
  await list.keyboard.press('ArrowDown')
  await list.keyboard.press('Enter')
  const other = new ChatPage(list, gateway.url)
  await expect(other.answers.last()).toContainText('about whales')
  await list.goBack()
  await rows
    .last()
    .getByRole('button', { name: /favourites:/ })
    .click()
  await expect(rows).toHaveCount(1)
  await list.getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveCount(2)
})

test('the list is reached by the palette and fits on a phone', async ({ chat }) => {
  await chat.open()
  await chat.ask(`/echo ${'a long message '.repeat(20)}`)
  await starLast(chat)
  await chat.page.setViewportSize({ width: 390, height: 800 })
  await chat.page.keyboard.press('Control+k')
  await chat.page.getByRole('combobox').fill('Favourite messages')
  await chat.page.keyboard.press('Enter')
  await expect(chat.page.getByRole('heading', { name: 'Favourite messages' })).toBeVisible()
  await expect(chat.page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  const { scroll, width } = await chat.page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    width: document.documentElement.clientWidth,
  }))
  expect(scroll).toBeLessThanOrEqual(width)
})
