import { addAccount, settleIn } from '../accounts.ts'
import { createChat } from '../chat-api.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ArtifactPage } from '../pages/artifact-page.ts'
import { OrganisePage } from '../pages/organise-page.ts'

test('a chat is shared by a link, read and copied by somebody else, and not shared any more', async ({
  chat,
  gateway,
  browser,
}) => {
  await createChat(chat.page.request, chat.url, 'Roses', {
    question: 'How do I keep roses?',
    answer: '**Water** them.\n\n```python\nprint(2)\n```',
  })
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await organise.chooseForChat('Roses', 'Share…')
  await organise.dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await organise.dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  await expectAccessible(chat.page)

  const context = await browser.newContext()
  await settleIn(
    context,
    gateway,
    await addAccount(gateway, gateway.adminToken, 'user', 'Somebody Else'),
  )
  const other = await context.newPage()
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'Roses', level: 1 })).toBeVisible()
  await expect(other.locator('strong')).toHaveText('Water')
  await expect(other.getByRole('textbox')).toHaveCount(0)
  // Users who may not change the chat can see code but not run it.
  const run = other.getByRole('button', { name: 'Run', exact: true })
  await expect(other.getByText('print(2)')).toBeVisible()
  await expect(run).toHaveCount(0)
  await expectAccessible(other)
  await other.getByRole('button', { name: 'Copy to my chats' }).click()
  await expect(other.getByRole('article').filter({ hasText: 'Water them.' })).toBeVisible()
  await expect(run).toBeVisible()
  await expect(other.getByRole('navigation', { name: 'Chats' }).getByRole('link')).toHaveText([
    /Roses/,
  ])

  await organise.dialog.getByRole('button', { name: 'Stop sharing' }).click()
  await expect(organise.dialog.getByRole('button', { name: 'Create link' })).toBeVisible()
  await other.goto(link)
  await expect(other.getByRole('alert')).toContainText('This link no longer works')
  await context.close()
})

test('what was said after sharing is seen only when the link is updated', async ({ chat }) => {
  await chat.open()
  await chat.ask('/echo the first words')
  const organise = new OrganisePage(chat.page)
  await organise.row('/echo the first words').press('s')
  await organise.dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await organise.dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  await organise.dialog.getByRole('button', { name: 'Done' }).click()
  await chat.ask('/echo something later')
  const reader = await chat.page.context().newPage()
  await reader.goto(link)
  await expect(reader.getByRole('article')).toContainText('the first words')
  await expect(reader.getByRole('article')).not.toContainText('something later')
  await organise.row('/echo the first words').press('s')
  await organise.dialog.getByRole('button', { name: 'Update' }).click()
  await expect(
    organise.dialog.getByText('The link now shows the latest version of the chat.'),
  ).toBeVisible()
  await reader.reload()
  await expect(reader.getByRole('article')).toContainText('something later')
})

test('shared chats stand on a page of their own, from which sharing is ended', async ({ chat }) => {
  const id = await createChat(chat.page.request, chat.url, 'Roses')
  await chat.page.request.post(`${chat.url}/api/v1/chats/${id}/share`)
  await chat.open()
  await new OrganisePage(chat.page).chooseForList('Shared chats')
  const page = chat.page.getByRole('main')
  await expect(page.getByRole('link')).toHaveText(['Roses'])
  await expectAccessible(chat.page)
  await page.getByRole('button', { name: 'Stop sharing: Roses' }).click()
  await expect(page).toContainText('No shared chats')
})

test('who may not share with everybody reads why and chooses people', async ({
  page,
  gateway,
  browser,
}) => {
  const [owner, invited] = await Promise.all(
    ['Sharing Member', 'Welcome Guest'].map((name) =>
      addAccount(gateway, gateway.adminToken, 'user', `${name} ${Date.now()}`),
    ),
  )
  await settleIn(page.context(), gateway, owner!)
  await createChat(page.request, gateway.url, 'Roses')
  await page.goto(gateway.url)
  const organise = new OrganisePage(page)
  await organise.chooseForChat('Roses', 'Share…')
  await expect(organise.dialog).toContainText('You cannot share links with everyone')
  await organise.dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await organise.dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  await expect(organise.dialog.getByRole('switch')).toHaveCount(0)
  await expect(organise.dialog).toContainText('An administrator can give you permission')
  await expectAccessible(page)
  const context = await browser.newContext()
  await settleIn(context, gateway, invited!)
  const reader = await context.newPage()
  await reader.goto(link)
  await expect(reader.getByRole('alert')).toContainText('This link no longer works')
  await organise.dialog.getByRole('button', { name: 'Add', exact: true }).click()
  // A member finds others by name, or by an e-mail address they already know; the gateway reveals
  // no addresses.
  const search = page.getByPlaceholder('Find people and groups')
  await search.fill(invited!.name)
  await expect(page.getByRole('option')).toHaveText([invited!.name])
  await search.fill(invited!.email.slice(0, -1))
  await expect(page.getByRole('option')).toHaveCount(0)
  await search.fill(invited!.email)
  await expect(page.getByRole('option')).toHaveText([`${invited!.name}${invited!.email}`])
  await page.getByRole('option', { name: invited!.name }).click()
  await expect(organise.dialog.getByRole('listitem')).toHaveText([new RegExp(invited!.name)])
  await reader.reload()
  await expect(reader.getByText('This chat is empty.')).toBeVisible()
  await context.close()
})

test('a link is opened to chosen people only', async ({ chat, gateway, browser }) => {
  await createChat(chat.page.request, chat.url, 'Roses')
  const guests = ['Welcome Guest', 'Other Person'].map((name) =>
    addAccount(gateway, gateway.adminToken, 'user', `${name} ${Date.now()}`),
  )
  const [invited, uninvited] = await Promise.all(guests)
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await organise.chooseForChat('Roses', 'Share…')
  await organise.dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await organise.dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  await organise.dialog.getByRole('switch', { name: 'Everyone signed in' }).click()
  await organise.dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await chat.page.keyboard.type(invited!.name)
  await chat.page.getByRole('option', { name: invited!.name }).click()
  await expect(organise.dialog.getByRole('listitem')).toHaveText([new RegExp(invited!.name)])
  await expectAccessible(chat.page)
  for (const [account, text] of [
    [invited!, 'This chat is empty.'],
    [uninvited!, 'This link no longer works'],
  ] as const) {
    const context = await browser.newContext()
    await settleIn(context, gateway, account)
    const page = await context.newPage()
    await page.goto(link)
    await expect(page.getByText(text)).toBeVisible()
    await context.close()
  }
})

test('artifacts of a shared chat are looked at and not changed', async ({ chat }) => {
  await createChat(chat.page.request, chat.url, 'Clock', {
    question: 'A clock?',
    answer: 'Here:\n\n```html\n<title>Clock</title><h1>10:00</h1>\n```',
  })
  await chat.open()
  const organise = new OrganisePage(chat.page)
  await organise.chooseForChat('Clock', 'Share…')
  await organise.dialog.getByRole('button', { name: 'Create link' }).click()
  await chat.page.goto(await organise.dialog.getByRole('textbox', { name: 'Link' }).inputValue())
  const artifact = new ArtifactPage(chat.page)
  await chat.page.getByRole('button', { name: 'Open beside the chat: page' }).click()
  await expect(artifact.frame.getByRole('heading')).toHaveText('10:00')
  await expect(artifact.button('Source')).toBeVisible()
  await expect(artifact.button('Edit source')).toHaveCount(0)
  await expectAccessible(chat.page)
  await artifact.button('Close').click()
  await expect(artifact.sheet).toBeHidden()
})
