import { createChat, send } from '../chat-api.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { openAdminChat } from '../open-chat.ts'
import { ArtifactPage } from '../pages/artifact-page.ts'
import { TimeMachinePage } from '../pages/time-machine-page.ts'

test('a chat that is ruined, a note and an event that are deleted come back from a snapshot', async ({
  chat,
  chatList,
}) => {
  const { page, url } = chat
  const id = await createChat(page.request, url, 'Lisbon')
  const note = await send(page.request, `${url}/api/v1/notes/create`, {
    title: 'Packing list',
    data: { content: { md: 'Tent' } },
  })
  const api = `${url}/api/v1/calendars`
  const calendar = await send(page.request, `${api}/create`, { name: 'Trips' })
  const event = await send(page.request, `${api}/events/create`, {
    calendar_id: calendar.id,
    title: 'Train',
    start_at: 1.9e18,
  })
  await chat.open()
  const machine = new TimeMachinePage(page, url)
  await machine.open()
  await machine.take()
  await send(page.request, `${url}/api/v1/chats/${id}`, { chat: { title: 'Ruined' } })
  await page.request.delete(`${url}/api/v1/notes/${note.id}/delete`)
  await page.request.delete(`${api}/events/${event.id}/delete`)
  await machine.look()
  await expect(machine.group('Events').getByRole('listitem')).toContainText('No longer there')
  await expect(machine.group('Calendars').getByRole('listitem')).toContainText('Trips')
  await expect(machine.group('Chats').getByRole('listitem')).toContainText('Changed since')
  await expect(machine.group('Notes').getByRole('listitem')).toContainText('No longer there')
  await expectAccessible(page, BOTH_SCHEMES)
  await machine.group('Chats').getByRole('button', { name: 'Lisbon', exact: true }).click()
  await expect(
    page.getByRole('dialog').getByRole('heading', { name: 'Lisbon' }).first(),
  ).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await machine.bringBack('Lisbon')
  await machine.bringBack('Packing list')
  await machine.bringBack('Train')
  await page.getByRole('searchbox', { name: 'Search this snapshot' }).fill('nothing like it')
  await expect(page.getByText('Nothing matches.')).toBeVisible()
  await page.getByRole('button', { name: 'All snapshots' }).click()
  await expect(machine.snapshots.first()).toBeVisible()
  const found = await page.request.get(`${api}/events/search?query=Train`)
  expect(await found.json()).toMatchObject({ items: [{ calendar_id: calendar.id }], total: 1 })
  await chat.open()
  await expect(chatList.rows).toHaveCount(2)
  await expect(chatList.rows.filter({ hasText: 'Lisbon' })).toHaveCount(1)
  await expect(chatList.rows.filter({ hasText: 'Ruined' })).toHaveCount(1)
})

test('a page of an old answer runs in the view of the snapshot, and Escape closes it before the chat', async ({
  chat,
}) => {
  const { page, url } = chat
  await createChat(page.request, url, 'Clock', {
    question: 'A clock?',
    answer: 'So:\n\n```html\n<h1>10:00</h1><script>document.body.append("ticks")</script>\n```',
  })
  await chat.open()
  const machine = new TimeMachinePage(page, url)
  await machine.open()
  await machine.take()
  await machine.look()
  await machine.group('Chats').getByRole('button', { name: 'Clock', exact: true }).click()
  const old = page.getByRole('dialog', { name: 'Clock' })
  const artifact = new ArtifactPage(page)
  await artifact.open(old, 'page')
  await expect(artifact.body()).toHaveText('10:00ticks')
  await expect(artifact.button('Edit source')).toHaveCount(0)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.keyboard.press('Escape')
  await expect(artifact.sheet).toBeHidden()
  await expect(old.getByRole('button', { name: 'Open beside the chat: page' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(old).toBeHidden()
})

test('the time machine is used by keyboard on a narrow window', async ({ chat }) => {
  const { page, url } = chat
  await createChat(page.request, url, 'Lisbon')
  await page.setViewportSize({ width: 390, height: 800 })
  await chat.open()
  const machine = new TimeMachinePage(page, url)
  await machine.open()
  await machine.take()
  await machine.snapshots.first().getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  const bring = page.getByRole('button', { name: 'Bring back Lisbon' })
  await bring.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('“Lisbon” is back as a copy', { exact: true })).toBeVisible()
  const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(scrollWidth).toBeLessThanOrEqual(390)
  await expectAccessible(page, BOTH_SCHEMES)
})

test('an administrator deletes a snapshot after a question, also on a narrow window', async ({
  chat,
}) => {
  const { page, url } = chat
  await chat.open()
  const machine = new TimeMachinePage(page, url)
  await machine.open()
  await machine.take()
  const before = await machine.snapshots.count()
  await machine.snapshots
    .first()
    .getByRole('button', { name: /^Open the snapshot of/ })
    .click()
  await page.getByRole('button', { name: 'All snapshots' }).click()
  await page.setViewportSize({ width: 390, height: 800 })
  const button = machine.snapshots.first().getByRole('button', { name: /^Delete the snapshot of/ })
  await button.click()
  const dialog = page.getByRole('dialog', { name: /^Delete the snapshot of/ })
  await expect(dialog).toContainText('nothing can be brought back from it any more')
  await expectAccessible(page, BOTH_SCHEMES)
  await page.keyboard.press('Escape')
  await expect(machine.snapshots).toHaveCount(before)
  await button.click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Snapshot deleted', { exact: true }).first()).toBeVisible()
  await expect(machine.snapshots).toHaveCount(before - 1)
  const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(scrollWidth).toBeLessThanOrEqual(390)
})

test('everything comes back to a snapshot, the gateway starts again, and what was there is kept', async ({
  startOwnGateway,
  page,
}) => {
  const gateway = await startOwnGateway()
  await openAdminChat(page, gateway)
  const { url } = gateway
  await createChat(page.request, url, 'Lisbon')
  const machine = new TimeMachinePage(page, url)
  await machine.open()
  await machine.take()
  await createChat(page.request, url, 'Later')
  await machine.look()
  await page.getByRole('button', { name: 'Bring everything back' }).scrollIntoViewIfNeeded()
  await expectAccessible(page, BOTH_SCHEMES)
  await machine.bringEverythingBack()
  await expect(page.getByText(/^Everything was brought back on /)).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('Before everything was brought back').first()).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  const chats = await (await page.request.get(`${url}/api/v1/chats/`)).json()
  expect((chats as { title: string }[]).map(({ title }) => title)).toEqual(['Lisbon'])
})

test('a snapshot is looked around in by its own addresses, also in a second tab, and changes nothing', async ({
  chat,
}) => {
  const { page, url } = chat
  const folder = await send(page.request, `${url}/api/v1/folders/`, { name: 'Journeys' })
  const id = await createChat(page.request, url, 'Porto')
  await send(page.request, `${url}/api/v1/chats/${id}/folder`, { folder_id: folder.id })
  const note = await send(page.request, `${url}/api/v1/notes/create`, {
    title: 'Packing list',
    data: { content: { md: '# Tent\n\n- pegs' } },
  })
  const prompt = await send(page.request, `${url}/api/v1/prompts/create`, {
    command: '/sum',
    name: 'Sum up',
    content: 'Sum up {{text}}',
  })
  const api = `${url}/api/v1/calendars`
  const calendar = await send(page.request, `${api}/create`, { name: 'Trips' })
  const event = await send(page.request, `${api}/events/create`, {
    calendar_id: calendar.id,
    title: 'Night train',
    location: 'Platform 7',
    description: 'Bring the tickets.',
    rrule: 'RRULE:FREQ=YEARLY',
    start_at: 1.9e18,
    end_at: 1.90000036e18,
  })
  await chat.open()
  const machine = new TimeMachinePage(page, url)
  await machine.open()
  await machine.take()
  await send(page.request, `${url}/api/v1/chats/${id}`, { chat: { title: 'Ruined' } })
  await page.request.delete(`${url}/api/v1/notes/${note.id}/delete`)
  await machine.look()
  await page.getByRole('link', { name: 'Look around in it' }).click()
  await expect(page).toHaveURL(/\/at\/[^/]+\/$/)
  const at = page.url()
  const banner = page.getByRole('banner')
  await expect(banner).toContainText('nothing can be changed')
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByRole('link', { name: 'Porto' }).click()
  await expect(page.getByRole('heading', { name: 'Porto', level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Changed since')
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page, BOTH_SCHEMES)
  const second = await page.context().newPage()
  await second.goto(`${at}workspace/notes?id=${note.id}`)
  await expect(second.getByRole('heading', { name: 'Tent' })).toBeVisible()
  await expect(second.getByRole('main')).toContainText('No longer there')
  await second.getByRole('button', { name: 'Bring back Packing list' }).click()
  await second.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(second).toHaveURL(new RegExp(`^${url}/workspace/notes`))
  await second.goto(`${at}workspace/prompts?id=${prompt.id}`)
  await expect(second.getByText('Sum up {{text}}')).toBeVisible()
  await page.request.delete(`${api}/events/${event.id}/delete`)
  await second.goto(at)
  const trips = second.getByRole('region', { name: 'In the calendar Trips' })
  await trips.getByRole('link', { name: 'Night train' }).click()
  await expect(second).toHaveURL(`${at}workspace/calendar?id=${event.id}`)
  await expect(second.getByRole('heading', { name: 'Night train', level: 1 })).toBeVisible()
  for (const text of ['Platform 7', 'RRULE:FREQ=YEARLY', 'Bring the tickets.', 'Mar 17, 2030'])
    await expect(second.getByRole('main')).toContainText(text)
  await expectAccessible(second, BOTH_SCHEMES)
  await second.getByRole('main').getByRole('button', { name: 'Bring back Night train' }).click()
  await expect(second.getByText('“Night train” is back as a copy').first()).toBeVisible()
  await trips.getByRole('button', { name: 'Bring back Trips' }).click()
  await expect(second.getByText('“Trips” is back as a copy').first()).toBeVisible()
  for (const elsewhere of [
    'settings/users',
    'channels/any',
    'workspace/models',
    'workspace/automations',
    'archived',
    's/any',
  ]) {
    await second.goto(at + elsewhere)
    await expect(second.getByText('This is not part of a snapshot')).toBeVisible()
  }
  await expect(second.getByRole('link', { name: 'Open it in the present' })).toHaveAttribute(
    'href',
    '/s/any',
  )
  await second.goto(`${url}/at/none/c/${id}`)
  await expect(second.getByText('This snapshot is no longer kept')).toBeVisible()
  await second.setViewportSize({ width: 390, height: 800 })
  await second.goto(at)
  await second.getByRole('link', { name: 'Porto' }).click()
  await expect(second.getByRole('heading', { name: 'Porto', level: 1 })).toBeVisible()
  const scrollWidth = await second.evaluate(() => document.documentElement.scrollWidth)
  expect(scrollWidth).toBeLessThanOrEqual(390)
  await second.getByRole('link', { name: 'All that is in the snapshot' }).click()
  await second.getByRole('button', { name: 'Bring back Journeys' }).click()
  await expect(second.getByText('“Journeys” is back as a copy').first()).toBeVisible()
  await second.getByRole('link', { name: 'Back to the present' }).click()
  await expect(second.getByRole('heading', { name: 'Snapshots' })).toBeVisible()
})
