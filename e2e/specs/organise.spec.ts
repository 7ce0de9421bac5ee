import { readFile } from 'node:fs/promises'
import { createChat, send } from '../chat-api.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { OrganisePage } from '../pages/organise-page.ts'
import { PalettePage } from '../pages/palette-page.ts'

test('a chat is moved into a new folder by its menu, and undo brings it back', async ({ chat }) => {
  await createChat(chat.page.request, chat.url, 'Letter to the landlord')
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await organise.createFolder('House')
  await organise.chooseForChat('Letter to the landlord', 'Move to…')
  await organise.moveTo('House')
  await organise.folder('House').click()
  await expect(organise.inside('House').getByRole('link')).toHaveText(['Letter to the landlord'])
  await chat.page.reload()
  await expect(organise.inside('House').getByRole('link')).toHaveText(['Letter to the landlord'])
  await organise.row('Letter to the landlord').focus()
  await chat.page.keyboard.press('m')
  await organise.moveTo('No folder')
  await expect(organise.inside('House')).toContainText('No chats here yet')
  await organise.undo()
  await expect(organise.inside('House').getByRole('link')).toHaveText(['Letter to the landlord'])
})

test('chats and folders are dragged onto a folder and out of it again', async ({ chat }) => {
  const { request } = chat.page
  const outer = await send(request, `${chat.url}/api/v1/folders/`, { name: 'Work' })
  await send(request, `${chat.url}/api/v1/folders/${outer.id}/update/expanded`, {
    is_expanded: true,
  })
  await send(request, `${chat.url}/api/v1/folders/`, { name: 'Report' })
  await createChat(request, chat.url, 'Figures')
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await organise.row('Figures').dragTo(organise.folder('Work'))
  await expect(organise.inside('Work').getByRole('link')).toHaveText(['Figures'])
  await organise.folder('Report').dragTo(organise.folder('Work'))
  await expect(organise.inside('Work').locator('[data-folder-id]')).toHaveText(['Report'])
  await organise.row('Figures').dragTo(organise.folders.getByRole('heading', { name: 'Folders' }))
  await expect(organise.inside('Work').getByRole('link')).toHaveCount(0)
  await expect(organise.row('Figures')).toBeVisible()
})

test('a deleted folder comes back with its folders and chats', async ({ chat }) => {
  const { request } = chat.page
  const outer = await send(request, `${chat.url}/api/v1/folders/`, { name: 'Work' })
  const inner = await send(request, `${chat.url}/api/v1/folders/`, {
    name: 'Report',
    parent_id: outer.id,
  })
  for (const { id } of [outer, inner])
    await send(request, `${chat.url}/api/v1/folders/${id}/update/expanded`, { is_expanded: true })
  await createChat(request, chat.url, 'Figures', { folderId: inner.id })
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await expect(organise.row('Figures')).toBeVisible()
  await organise.chooseForFolder('Work', 'Delete')
  await organise.dialog.getByLabel('Delete the chats too').check()
  await organise.dialog.getByRole('button', { name: 'Delete folder' }).click()
  await expect(organise.folders).toHaveCount(0)
  await expect(organise.row('Figures')).toHaveCount(0)
  await organise.undo()
  await expect(organise.inside('Report').getByRole('link')).toHaveText(['Figures'])
})

test('a folder keeps its instructions, and a chat begun in it is stored with its first message', async ({
  chat,
  chatList,
}) => {
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await organise.createFolder('House')
  await organise.chooseForFolder('House', 'Folder settings…')
  await organise.dialog.getByLabel('Instructions').fill('Answer like a gardener.')
  await organise.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(organise.dialog).toHaveCount(0)
  await organise.chooseForFolder('House', 'Folder settings…')
  await expect(organise.dialog.getByLabel('Instructions')).toHaveValue('Answer like a gardener.')
  await chat.page.keyboard.press('Escape')
  await organise.chooseForFolder('House', 'New chat in this folder')
  await expect(chat.page.getByText('New chat in House')).toBeVisible()
  await expect(organise.inside('House')).toContainText('No chats here yet')
  await chat.ready()
  await chat.ask('/echo something about roses')
  await expect(organise.inside('House').getByRole('link')).toHaveCount(1)
  await chatList.searchBox.fill('roses')
  await expect(chatList.rows).toContainText(['In the folder House'])
})

test('tags are added with suggestions, shown on demand, and filter the search', async ({
  chat,
  chatList,
}) => {
  const { request } = chat.page
  const other = await createChat(request, chat.url, 'Roses')
  await send(request, `${chat.url}/api/v1/chats/${other}/tags`, { name: 'Garden' })
  await createChat(request, chat.url, 'Tulips')
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await organise.row('Tulips').focus()
  await chat.page.keyboard.press('t')
  await organise.dialog.getByRole('button', { name: 'Garden', exact: true }).click()
  await organise.dialog.getByLabel('New tag').fill('spring')
  await organise.dialog.getByLabel('New tag').press('Enter')
  await expect(
    organise.dialog.getByRole('list', { name: 'Current tags' }).getByRole('listitem'),
  ).toHaveText(['Garden', 'spring'])
  await organise.dialog.getByRole('button', { name: 'Remove tag “spring”' }).click()
  await organise.dialog.getByRole('button', { name: 'Done' }).click()
  await organise.chooseForList('Show tags')
  await expect(organise.row('Tulips')).toContainText('Garden')
  await chatList.searchBox.click()
  await chat.page.getByRole('button', { name: 'Search filters' }).click()
  await chat.page.getByRole('button', { name: 'Garden', exact: true }).click()
  await expect(chatList.searchBox).toBeFocused()
  await expect(chatList.searchBox).toHaveValue('tag:Garden')
  await expect(chatList.rows).toHaveText([/Tulips/, /Roses/])
})

test('several chats are chosen by mouse and keys and archived together, with undo', async ({
  chat,
  chatList,
}) => {
  for (const title of ['Four', 'Three', 'Two', 'One'])
    await createChat(chat.page.request, chat.url, title)
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await organise.row('One').click({ modifiers: ['ControlOrMeta'] })
  await organise.row('Three').click({ modifiers: ['Shift'] })
  await expect(organise.selection).toContainText('3 chats selected')
  await organise.row('Three').press('Shift+ArrowDown')
  await expect(organise.selection).toContainText('4 chats selected')
  await organise.list.getByRole('checkbox', { name: 'Select “One”' }).uncheck()
  await organise.selection.getByRole('button', { name: 'Archive' }).click()
  await expect(chatList.rows).toHaveText(['One'])
  await expect(organise.selection).toHaveCount(0)
  await organise.undo()
  await expect(chatList.rows).toHaveCount(4)
  await organise.row('One').press('Control+a')
  await expect(organise.selection).toContainText('4 chats selected')
  await chat.page.keyboard.press('Escape')
  await expect(organise.selection).toHaveCount(0)
})

test('archived chats are searched, brought back and deleted on their page', async ({
  chat,
  chatList,
}) => {
  for (const title of ['Old car', 'Old flat', 'New bike'])
    await createChat(chat.page.request, chat.url, title)
  await chat.open()
  const organise = new OrganisePage(chat.page)
  for (const title of ['Old car', 'Old flat']) {
    await organise.chooseForChat(title, 'Archive')
    await expect(organise.row(title)).toHaveCount(0)
  }
  await organise.page.getByRole('link', { name: 'Archive', exact: true }).click()
  const page = chat.page.getByRole('main')
  await expect(page.getByRole('link')).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Search titles' }).fill('flat')
  await expect(page.getByRole('link')).toHaveText(['Old flat'])
  await page.getByRole('button', { name: 'Unarchive: Old flat' }).click()
  await expect(chatList.rows).toHaveCount(2)
  await expect(organise.row('Old flat')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search titles' }).fill('')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page).toContainText('No archived chats')
})

test('a chat that is not in the list is renamed and pinned from the palette', async ({
  chat,
  chatList,
}) => {
  const id = await createChat(chat.page.request, chat.url, 'Put away')
  await send(chat.page.request, `${chat.url}/api/v1/chats/${id}/archive`)
  await chat.open(`/c/${id}`)
  await expect(chat.page).toHaveTitle(/Put away/)
  await new PalettePage(chat.page).run('Rename chat')
  await chatList.titleBox.fill('Found again')
  await chatList.titleBox.press('Enter')
  await expect(chat.page).toHaveTitle(/Found again/)
})

test('what came while one was elsewhere is marked until the chat is opened', async ({ chat }) => {
  const id = await createChat(chat.page.request, chat.url, 'News')
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await organise.row('News').focus()
  await chat.page.keyboard.press('u')
  await expect(organise.row('News')).toContainText('Unread')
  await chat.open(`/c/${id}`)
  await expect(organise.row('News')).not.toContainText('Unread')
})

test('a chat is exported as Markdown, as JSON and as a page that loads and runs nothing', async ({
  chat,
  context,
}) => {
  const answer =
    '# Roses\n\n**Water** them, then $$Q = m$$\n\n```ts\nconst depth = 20\n```\n\n<img src=x onerror=alert(1)>'
  await createChat(chat.page.request, chat.url, 'Roses', { question: 'How?', answer })
  await chat.open()
  const organise = new OrganisePage(chat.page)
  const markdown = await organise.exportChat('Roses', 'Markdown')
  expect(markdown.suggestedFilename()).toBe('Roses.md')
  expect(await readFile((await markdown.path())!, 'utf8')).toContain('**Water** them')
  const json = await organise.exportChat('Roses', 'JSON')
  expect(JSON.parse(await readFile((await json.path())!, 'utf8'))).toMatchObject({ title: 'Roses' })
  const file = await organise.exportChat('Roses', 'Web page (HTML)')
  const html = await readFile((await file.path())!, 'utf8')
  const page = await context.newPage()
  await page.setContent(html)
  await expect(page.locator('script, link, img, iframe, [src], [onerror]')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Roses', level: 1 }).first()).toBeVisible()
  await expect(page.locator('strong')).toHaveText('Water')
  await expect(page.locator('math')).toHaveCount(1)
  await expect(page.getByText('const depth = 20')).toBeVisible()
})

test('printing lays out the whole chat and nothing of the window', async ({ chat }) => {
  const id = await createChat(chat.page.request, chat.url, 'Roses', {
    question: 'How do I keep roses?',
    answer: 'Water them.',
  })
  await chat.page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await chat.open(`/c/${id}`)
  await chat.page.keyboard.press('Control+p')
  await chat.page.locator('html[data-printed]').waitFor()
  await chat.page.emulateMedia({ media: 'print' })
  await expect(chat.page.locator('.print-sheet')).toContainText('Water them.')
  await expect(chat.composer).toBeHidden()
  await chat.page.emulateMedia({ media: 'screen' })
  await chat.page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(chat.page.locator('.print-sheet')).toHaveCount(0)
  await expect(chat.composer).toBeVisible()
})

test('folders, tags, choosing and the archive have no accessibility fault', async ({ chat }) => {
  const { request } = chat.page
  const folder = await send(request, `${chat.url}/api/v1/folders/`, { name: 'Work' })
  await send(request, `${chat.url}/api/v1/folders/${folder.id}/update/expanded`, {
    is_expanded: true,
  })
  const id = await createChat(request, chat.url, 'Figures', { folderId: folder.id })
  await send(request, `${chat.url}/api/v1/chats/${id}/tags`, { name: 'report' })
  await createChat(request, chat.url, 'Loose')
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await organise.chooseForList('Show tags')
  await organise.row('Loose').press(' ')
  await expectAccessible(chat.page, BOTH_SCHEMES)
  await chat.page.keyboard.press('Escape')
  for (const key of ['m', 't', 's']) {
    await organise.row('Figures').press(key)
    await organise.dialog.waitFor()
    await expectAccessible(chat.page, BOTH_SCHEMES)
    await chat.page.keyboard.press('Escape')
    await expect(organise.dialog).toHaveCount(0)
  }
  await chat.page.getByRole('searchbox', { name: 'Search chats' }).click()
  await chat.page.getByRole('button', { name: 'Search filters' }).click()
  await chat.page.getByText('Your tags').waitFor()
  await expectAccessible(chat.page, BOTH_SCHEMES)
  await chat.page.keyboard.press('Escape')
  await chat.page.setViewportSize({ width: 360, height: 740 })
  await chat.page.goto(`${chat.url}/archived`)
  await chat.page.getByText('No archived chats').waitFor()
  await expectAccessible(chat.page, BOTH_SCHEMES)
})
