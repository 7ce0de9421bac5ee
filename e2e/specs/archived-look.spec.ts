import { expect, test } from '../fixtures.ts'
import { PalettePage } from '../pages/palette-page.ts'

test('an archived chat says so in the palette, in the search and among the favourites', async ({
  chat,
  chatList,
}) => {
  await chat.open()
  await chat.ask('/echo put away')
  await chat.more(chat.answers.last()).click()
  await chat.page.getByRole('menuitem', { name: /favourite/i }).click()
  await chatList.row('/echo put away').focus()
  await chat.page.keyboard.press('e')
  await expect(chatList.row('/echo put away')).toHaveCount(0)
  const palette = new PalettePage(chat.page)
  await palette.open()
  await palette.box.fill('put away')
  await expect(palette.rows.filter({ hasText: 'put away' })).toContainText('Archived')
  await chat.page.keyboard.press('Escape')
  await chat.page.getByRole('searchbox', { name: 'Search chats' }).fill('archived:true put')
  await expect(chat.chatList.getByRole('link', { name: /put away.*Archived/ })).toBeVisible()
  await chat.page.goto(`${chat.url}/starred`)
  await expect(chat.page.getByRole('main').getByRole('listitem')).toContainText('Archived')
})
