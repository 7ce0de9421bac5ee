import { callChannels, expect, makeGroup, post, test } from '../channels.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'

test('where channels are off, nothing of them is there', async ({ chat, chatList }) => {
  await chat.open()
  await chatList.newChatButton.waitFor()
  await chat.page.getByRole('button', { name: 'Chat list options' }).click()
  await chat.page.getByRole('menuitem').first().waitFor()
  await expect(chat.page.getByRole('menuitem', { name: 'New channel' })).toHaveCount(0)
})

test('channels of every kind are made from the dialog, and direct messages with one press', async ({
  enter,
}) => {
  const [ada, bob] = [await enter('Ada Lovelace', { role: 'admin' }), await enter('Robert Hooke')]
  const { channel } = ada
  await expect(channel.list.getByRole('heading', { name: 'Channels' })).toHaveCount(0)
  await expect(channel.list.getByRole('heading', { name: 'Direct messages' })).toHaveCount(0)
  await channel.startNew('New channel')
  await channel.dialog.getByRole('button', { name: 'Create' }).click()
  await expect(channel.dialog).toContainText('Give the channel a name.')
  await channel.dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Announcements')
  await channel.dialog
    .getByRole('combobox', { name: 'Everyone signed in' })
    .selectOption('Can read')
  await channel.dialog.getByRole('button', { name: 'Create' }).click()
  await channel.send('Welcome')
  await bob.channel.row('announcements').click()
  await expect(
    bob.channel.page.getByText('You can read this channel but not post in it.'),
  ).toBeVisible()
  await channel.page.getByRole('button', { name: 'New channel' }).click()
  await channel.dialog.getByText('Private channel').click()
  await channel.dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Secrets')
  await channel.dialog.getByRole('button', { name: 'Create' }).click()
  await channel.row('secrets').waitFor()
  await expect(bob.channel.row('secrets')).toHaveCount(0)
  await channel.page.getByRole('button', { name: 'New channel' }).click()
  await channel.dialog.getByText('Group', { exact: true }).click()
  await channel.dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Microscopes')
  await channel.dialog.getByRole('button', { name: 'Add people' }).click()
  await channel.page.getByRole('option', { name: 'Robert Hooke' }).first().click()
  await channel.dialog.getByRole('button', { name: 'Create' }).click()
  await bob.channel.row('microscopes').waitFor()
  await expect(channel.list.getByRole('heading', { name: 'Channels' })).toBeVisible()
  await channel.startNew('New direct message')
  await channel.dialog.getByRole('button', { name: 'Start' }).click()
  await expect(channel.dialog).toContainText('Choose at least one person.')
  await channel.dialog.getByRole('button', { name: 'Add people' }).click()
  await channel.page.getByRole('option', { name: 'Robert Hooke' }).first().click()
  await channel.dialog.getByRole('button', { name: 'Start' }).click()
  await channel.send('Just between us')
  await expect(bob.channel.notes).toContainText('Ada Lovelace in Ada Lovelace: Just between us')
  await bob.channel.open('Ada Lovelace')
  await expect(bob.channel.message('Just between us')).toBeVisible()
  await bob.channel.chooseOfChannel('Close conversation')
  await bob.channel.dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(bob.channel.row('Ada Lovelace')).toHaveCount(0)
  await channel.send('Come back')
  await expect(bob.channel.row('Ada Lovelace')).toBeVisible()
})

test('a webhook shows its address once with a line that works, and is a deleted webhook afterwards', async ({
  enter,
}) => {
  const ada = await enter('Ada Lovelace')
  const id = await makeGroup(ada, 'builds')
  const { channel } = ada
  await channel.openId(id)
  await channel.chooseOfChannel('Webhooks')
  await channel.dialog.getByRole('textbox', { name: 'New webhook' }).fill('Build server')
  await channel.dialog.getByRole('button', { name: 'Create' }).click()
  const shown = channel.dialog.getByRole('region', { name: 'Address' })
  const address = await shown.locator('code').first().textContent()
  expect(await shown.locator('code').last().textContent()).toContain(`curl -X POST '${address}'`)
  const response = await fetch(address!, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: 'Build 7 is green' }),
  })
  expect(await response.json()).toMatchObject({ success: true })
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(channel.dialog).toContainText('last used')
  await expect(channel.dialog.locator('code')).toHaveCount(0)
  await channel.dialog.getByRole('button', { name: 'Actions for Build server' }).click()
  await channel.page.getByRole('menuitem', { name: 'Replace address' }).click()
  await channel.page.getByRole('button', { name: 'Replace address' }).last().click()
  expect(await shown.locator('code').first().textContent()).not.toBe(address)
  await channel.dialog.getByRole('button', { name: 'Actions for Build server' }).click()
  await channel.page.getByRole('menuitem', { name: 'Delete' }).click()
  await channel.page
    .getByRole('dialog', { name: /^Delete/ })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(channel.dialog).toContainText('No webhooks yet')
  await channel.page.keyboard.press('Escape')
  await channel.page.reload()
  await expect(channel.message('Build 7 is green')).toContainText('Deleted webhook')
})

test('managers name other managers and change the channel; members leave', async ({ enter }) => {
  const [ada, bob] = [await enter('Ada Lovelace'), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'team', bob)
  await ada.channel.openId(id)
  await bob.channel.openId(id)
  await ada.channel.chooseOfChannel('Members')
  await ada.channel.dialog.getByRole('button', { name: 'Actions for Bob Ross' }).click()
  await ada.channel.page.getByRole('menuitem', { name: 'Make manager' }).click()
  await expect(
    ada.channel.dialog.getByRole('listitem').filter({ hasText: 'Bob Ross' }),
  ).toContainText('manager')
  await bob.channel.chooseOfChannel('Channel settings')
  await bob.channel.dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('crew')
  await bob.channel.dialog.getByRole('textbox', { name: 'Description' }).fill('All who sail')
  await bob.channel.dialog.getByRole('button', { name: 'Save' }).click()
  await ada.channel.dialog.getByRole('button', { name: 'Close' }).click()
  await expect(ada.channel.row('crew')).toBeVisible()
  await expect(
    ada.channel.page.getByRole('banner').or(ada.channel.page.locator('header')),
  ).toContainText('All who sail')
  await bob.channel.chooseOfChannel('Leave')
  await bob.channel.dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(bob.channel.row('crew')).toHaveCount(0)
  await expect(ada.channel.page.getByRole('button', { name: '1 member' })).toBeVisible()
})

test('there is no accessibility fault in channels', async ({ enter }) => {
  // Many pages, with a whole analysis of each.
  test.setTimeout(120_000)
  const [ada, bob] = [await enter('Ada Lovelace', { role: 'admin' }), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'seen by all', bob)
  const { page } = ada.channel
  const { id: question } = await post(
    bob,
    id,
    `<@U:${ada.id}|Ada Lovelace> what about **this**?\n\n- one\n- two`,
  )
  await post(ada, id, 'In a thread', { parent_id: question })
  await post(ada, id, 'Quoting', { reply_to_id: question })
  await callChannels(bob, 'POST', `/${id}/messages/${question}/reactions/add`, { name: '🎉' })
  await callChannels(bob, 'POST', `/${id}/messages/${question}/pin`, { is_pinned: true })
  await post(bob, id, 'The last word')
  await ada.channel.row('seen by all').waitFor()
  await expectAccessible(page, BOTH_SCHEMES)
  await ada.channel.openId(id)
  await ada.channel.message('The last word').hover()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByRole('button', { name: 'Add a reaction' }).last().click()
  await page.getByRole('option').first().waitFor()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.keyboard.press('Escape')
  await ada.channel.box.pressSequentially('@')
  await page.getByRole('option').first().waitFor()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.keyboard.press('Escape')
  await ada.channel.message('Quoting').focus()
  await page.keyboard.press('e')
  await expectAccessible(page, BOTH_SCHEMES)
  await page.keyboard.press('Escape')
  await ada.channel
    .message('what about')
    .first()
    .getByRole('button', { name: /1 reply/ })
    .click()
  await ada.channel.threadMessage('In a thread').waitFor()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Pinned messages' }).click()
  await ada.channel.pins.getByRole('listitem').first().waitFor()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.keyboard.press('Escape')
  for (const entry of ['Members', 'Channel settings', 'Webhooks', 'Leave', 'Delete channel']) {
    await ada.channel.chooseOfChannel(entry)
    await ada.channel.dialog.waitFor()
    await expect(page.locator('.animate-spin')).toHaveCount(0)
    await expectAccessible(page, BOTH_SCHEMES)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'New channel' }).click()
  await ada.channel.dialog.waitFor()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page, BOTH_SCHEMES)
  await ada.channel
    .message('what about')
    .first()
    .getByRole('button', { name: /1 reply/ })
    .click()
  await ada.channel.threadMessage('In a thread').waitFor()
  await expectAccessible(page, BOTH_SCHEMES)
})
