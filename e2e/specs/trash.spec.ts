import { createChat, send } from '../chat-api.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { OrganisePage } from '../pages/organise-page.ts'
import { PalettePage } from '../pages/palette-page.ts'
import { TrashPage } from '../pages/trash-page.ts'

test('deleted chats are restored, erased after a question, and chosen together', async ({
  chat,
  chatList,
}) => {
  const { page, url } = chat
  const ids: string[] = []
  for (const title of ['One', 'Two', 'Three', 'Four'])
    ids.push(await createChat(page.request, url, title))
  await send(page.request, `${url}/api/v1/chats/trash`, { ids })
  await chat.open()
  await page.getByRole('link', { name: 'Trash', exact: true }).click()
  const trash = new TrashPage(page)
  await expect(trash.rows).toHaveCount(4)
  await expect(trash.main).toContainText('30 days')
  await expect(trash.rows.first()).toContainText(/Deleted today, .* · 30 days left/)
  await expect(trash.main).not.toContainText('0 chats selected')
  await expect(trash.rows.first().getByText('Restore')).toBeVisible()
  await trash.restore('One')
  await expect(chatList.rows).toHaveText([/One/])
  await trash.main.getByRole('button', { name: 'Delete permanently: Two' }).click()
  await trash.dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(trash.rows).toHaveCount(3)
  await trash.erase('Two')
  await expect(trash.rows).toHaveCount(2)
  await trash.main.getByRole('checkbox', { name: 'Select all' }).check()
  await trash.main.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(chatList.rows).toHaveCount(3)
  await expect(trash.main).toContainText('The trash is empty')
})

test('the trash is emptied at once and reached from the palette', async ({ chat }) => {
  const { page, url } = chat
  const ids = [
    await createChat(page.request, url, 'One'),
    await createChat(page.request, url, 'Two'),
  ]
  await send(page.request, `${url}/api/v1/chats/trash`, { ids })
  await chat.open()
  await new PalettePage(page).run('Trash')
  const trash = new TrashPage(page)
  await trash.main.getByRole('button', { name: 'Empty trash' }).click()
  await expectAccessible(page)
  await trash.dialog.getByRole('button', { name: 'Empty trash' }).click()
  await expect(trash.rows).toHaveCount(0)
  await expect(trash.main).toContainText('The trash is empty')
})

test('a deleted folder is brought back with its chats, or erased', async ({ chat, chatList }) => {
  const { page, url } = chat
  const folders: string[] = []
  for (const name of ['Travel', 'Old plans'])
    folders.push((await send(page.request, `${url}/api/v1/folders/`, { name })).id)
  await createChat(page.request, url, 'Lisbon', { folderId: folders[0]! })
  for (const id of folders) await page.request.delete(`${url}/api/v1/folders/${id}`)
  await expect
    .poll(async () => (await page.request.get(`${url}/api/v1/folders/trash`)).json())
    .toHaveLength(2)
  await page.goto(`${url}/trash`)
  const trash = new TrashPage(page)
  await expect(trash.folders).toHaveCount(2)
  await expect(trash.folders.filter({ hasText: 'Travel' })).toContainText('with 1 chat')
  await expectAccessible(page)
  await trash.erase('Old plans')
  await expect(trash.folders).toHaveCount(1)
  await trash.restore('Travel')
  await expect(trash.rows).toHaveCount(0)
  await expect(trash.main).toContainText('The trash is empty')
  await expect(new OrganisePage(page).folder('Travel')).toBeVisible()
  await expect(chatList.rows).toHaveCount(0)
})

test('the trash has no accessibility fault, wide and narrow', async ({ chat }) => {
  const { page, url } = chat
  const id = await createChat(
    page.request,
    url,
    'A chat with a rather long title that has to be cut somewhere',
  )
  await send(page.request, `${url}/api/v1/chats/trash`, { ids: [id] })
  await page.goto(`${url}/trash`)
  const trash = new TrashPage(page)
  await expect(trash.rows).toHaveCount(1)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page, BOTH_SCHEMES)
  await expect(page.getByRole('link', { name: 'Back to chats' })).toBeVisible()
  await trash.erase('A chat with a rather long title that has to be cut somewhere')
  await expect(trash.main).toContainText('The trash is empty')
  await expectAccessible(page, BOTH_SCHEMES)
})

test('the trash and the time machine lead to each other', async ({ chat }) => {
  const { page, url } = chat
  await page.goto(`${url}/trash`)
  const main = page.getByRole('main')
  await expect(main).toContainText('Older ones may still be in a snapshot')
  await main.getByRole('link', { name: 'Time machine' }).click()
  await expect(page).toHaveURL(`${url}/settings/time-machine`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Time machine')
  await expectAccessible(page, BOTH_SCHEMES)
  await main.getByRole('link', { name: 'Trash' }).click()
  await expect(page).toHaveURL(`${url}/trash`)
  await page.setViewportSize({ width: 320, height: 700 })
  await expectAccessible(page)
})
