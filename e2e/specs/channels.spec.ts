import { callChannels, expect, makeGroup, post, postMany, test } from '../channels.ts'

test('a message is there at once for its author and a moment later for the others, who see it being written', async ({
  enter,
}) => {
  const [ada, bob] = [await enter('Ada Lovelace'), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'live', bob)
  await ada.channel.openId(id)
  await bob.channel.openId(id)
  await bob.channel.box.pressSequentially('Hel')
  await expect(ada.channel.typing).toHaveText('Bob Ross is typing…')
  await bob.channel.box.fill('')
  await expect(ada.channel.typing).toBeEmpty()
  await bob.channel.box.fill('Hello **everybody**\nin two lines')
  await bob.channel.box.press('Enter')
  await expect(bob.channel.box).toHaveValue('')
  const message = ada.channel.message('Hello everybody')
  await expect(message).toContainText('Bob Ross')
  await expect(message.locator('strong, [data-streamdown="strong"]')).toHaveText('everybody')
  await expect(ada.channel.typing).toBeEmpty()
  await bob.channel.send('and once more')
  // Grouped under the name that is already there.
  await expect(ada.channel.message('and once more').locator('img')).toHaveCount(0)
  await expect(ada.channel.page.locator('[data-live-region]')).toContainText(
    'Bob Ross: and once more',
  )
})

test('reactions, edits, pins and deletions reach the other window', async ({ enter }) => {
  const [ada, bob] = [await enter('Ada Lovelace'), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'changes', bob)
  await ada.channel.openId(id)
  await bob.channel.openId(id)
  await ada.channel.send('The first versoin')
  await bob.channel.act(bob.channel.message('The first versoin'), 'Add a reaction')
  await bob.channel.page.getByRole('combobox', { name: 'Search emoji' }).fill('rocket')
  await bob.channel.page.keyboard.press('Enter')
  const reaction = ada.channel.messages.getByRole('button', { name: '🚀, 1 reaction: Bob Ross' })
  await reaction.click()
  await expect(
    bob.channel.messages.getByRole('button', { name: '🚀, 2 reactions: you and Ada Lovelace' }),
  ).toHaveAttribute('aria-pressed', 'true')
  await ada.channel.choose(ada.channel.message('The first versoin'), 'Edit')
  const editor = ada.channel.page.getByRole('textbox', { name: 'Edit message' })
  await expect(editor).toBeFocused()
  await editor.fill('The first version')
  await editor.press('Enter')
  await expect(bob.channel.message('The first version')).toContainText('(edited)')
  await bob.channel.choose(bob.channel.message('The first version'), 'Pin for everyone')
  await expect(ada.channel.message('The first version')).toContainText('Pinned')
  await ada.channel.page.getByRole('button', { name: 'Pinned messages' }).click()
  await expect(ada.channel.pins.getByRole('listitem')).toContainText('The first version')
  await ada.channel.pins
    .getByRole('button', { name: 'Unpin the message from Ada Lovelace' })
    .click()
  await expect(ada.channel.pins).toContainText('No pinned messages')
  await expect(bob.channel.message('The first version')).not.toContainText('Pinned')
  await ada.channel.choose(ada.channel.message('The first version'), 'Delete')
  await ada.channel.dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(ada.channel.message('The first version')).toHaveCount(0)
  await expect(bob.channel.message('The first version')).toHaveCount(0)
})

test('a thread beside the channel counts its answers in the other window', async ({ enter }) => {
  const [ada, bob] = [await enter('Ada Lovelace'), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'threads', bob)
  await ada.channel.openId(id)
  await bob.channel.openId(id)
  await ada.channel.send('A question')
  await bob.channel.act(bob.channel.message('A question'), 'Reply in thread')
  await expect(bob.channel.threadBox).toBeFocused()
  await bob.channel.threadBox.fill('An answer')
  await bob.channel.threadBox.press('Enter')
  await expect(
    ada.channel.message('A question').getByRole('button', { name: /1 reply/ }),
  ).toBeVisible()
  await expect(ada.channel.message('An answer')).toHaveCount(0)
  await ada.channel
    .message('A question')
    .getByRole('button', { name: /1 reply/ })
    .click()
  await expect(ada.channel.threadMessage('An answer')).toBeVisible()
  // A typing signal within a second of another one is not passed on; the next one is.
  await ada.channel.threadBox.pressSequentially('Another', { delay: 300 })
  await expect(bob.channel.thread.getByTestId('typing')).toHaveText('Ada Lovelace is typing…')
  await ada.channel.threadBox.fill('Another one')
  await ada.channel.threadBox.press('Enter')
  await expect(bob.channel.threadMessage('Another one')).toBeVisible()
  await expect(
    bob.channel.message('A question').getByRole('button', { name: /2 replies/ }),
  ).toBeVisible()
  await ada.channel.page.keyboard.press('Escape')
  await expect(ada.channel.thread).toHaveCount(0)
  await ada.channel.page.goBack()
  await expect(ada.channel.threadMessage('Another one')).toBeVisible()
})

test('who is taken out of a channel is told so in the open window, and gets nothing more', async ({
  enter,
}) => {
  const [ada, bob] = [await enter('Ada Lovelace'), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'closed doors', bob)
  await ada.channel.openId(id)
  await bob.channel.openId(id)
  await ada.channel.chooseOfChannel('Members')
  await ada.channel.dialog.getByRole('button', { name: 'Actions for Bob Ross' }).click()
  await ada.channel.page.getByRole('menuitem', { name: 'Remove from channel' }).click()
  await expect(bob.channel.page.getByRole('alert')).toContainText(
    'You are no longer a member of this channel.',
  )
  await expect(bob.channel.row('closed doors')).toHaveCount(0)
  await expect(bob.channel.box).toHaveCount(0)
  await expect(
    ada.channel.dialog.getByRole('list', { name: 'Members' }).getByRole('listitem'),
  ).toHaveCount(1)
  await ada.channel.dialog
    .getByRole('status')
    .filter({ hasText: 'Bob Ross was removed' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(bob.channel.row('closed doors')).toBeVisible()
})

test('unread messages are counted in the list, a mention more loudly, and a line says where reading stopped', async ({
  enter,
}) => {
  const [ada, bob] = [await enter('Ada Lovelace'), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'news', bob)
  await bob.channel.openId(id)
  await post(ada, id, 'seen already')
  await bob.channel.message('seen already').waitFor()
  await bob.channel.page.getByRole('button', { name: 'New chat', exact: true }).click()
  await postMany(ada, id, 60)
  await expect(bob.channel.row('news')).toContainText('60 unread messages')
  await post(ada, id, `<@U:${bob.id}|Bob Ross> look`)
  await expect(bob.channel.row('news')).toContainText('1 mentions you.')
  await expect(bob.channel.notes).toContainText(
    'Ada Lovelace mentioned you in news: @Bob Ross look',
  )
  await bob.channel.open('news')
  await expect(bob.channel.newLine).toBeInViewport()
  await expect(bob.channel.message('message 1.')).toBeInViewport()
  await expect(bob.channel.message('message 60.')).not.toBeInViewport()
  await expect(bob.channel.row('news')).toContainText('61 unread messages')
  await bob.channel.latestButton.click()
  await expect(bob.channel.message('look')).toBeInViewport()
  await expect(bob.channel.row('news')).not.toContainText('unread')
  await bob.channel.choose(bob.channel.message('look'), 'Mark as unread')
  await expect(bob.channel.row('news')).toContainText('1 unread message')
  await bob.channel.page.reload()
  await expect(bob.channel.newLine).toBeInViewport()
  await expect(bob.channel.row('news')).not.toContainText('unread')
})

test('the list stays put while others write, and loads older pages without a jump', async ({
  enter,
}) => {
  const [ada, bob] = [await enter('Ada Lovelace'), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'long', bob)
  await postMany(ada, id, 130)
  await callChannels(bob, 'POST', `/${id}/read`, {})
  await bob.channel.openId(id)
  await expect(bob.channel.message('message 130.')).toBeInViewport()
  await bob.channel.view.hover()
  await bob.channel.page.mouse.wheel(0, -1200)
  await expect(bob.channel.message('message 130.')).not.toBeInViewport()
  const rows = bob.channel.messages
  const place = () =>
    rows.evaluateAll((all) => {
      const view = document.querySelector('#messages')!.getBoundingClientRect()
      const row = all.find((each) => each.getBoundingClientRect().top > view.top + 100)!
      return { text: row.textContent, top: Math.round(row.getBoundingClientRect().top) }
    })
  await expect
    .poll(async () => JSON.stringify(await place()) === JSON.stringify(await place()))
    .toBe(true)
  const before = await place()
  await postMany(ada, id, 3, 'meanwhile')
  await expect(bob.channel.latestButton).toHaveText('3 new messages')
  expect(await place()).toEqual(before)
  // The first page of older messages is loaded while the second one is still far away.
  const known = await rows.count()
  await bob.channel.view.evaluate((view) => view.scrollTo(0, 500))
  await expect.poll(() => rows.count()).toBeGreaterThan(known)
  await bob.channel.view.evaluate((view) => view.scrollTo(0, 0))
  await expect(bob.channel.message('message 1.')).toBeAttached()
  await expect(bob.channel.page.getByRole('heading', { name: 'long', level: 2 })).toBeAttached()
  const numbers = await rows.evaluateAll((all) =>
    all.map((row) => Number(/message (\d+)\./.exec(row.textContent)?.[1] ?? 0)).filter(Boolean),
  )
  expect(numbers).toEqual(Array.from({ length: 130 }, (_, index) => index + 1))
  await bob.channel.latestButton.click()
  await expect(bob.channel.message('meanwhile 3.')).toBeInViewport()
})

test('a link leads to an old message, and from there one reads on to the end', async ({
  enter,
}) => {
  const ada = await enter('Ada Lovelace')
  const id = await makeGroup(ada, 'archive')
  const { id: first } = await post(ada, id, 'the very first')
  await postMany(ada, id, 120)
  await ada.channel.page.goto(`${ada.channel.url}/channels/${id}?message=${first}`)
  await expect(ada.channel.message('the very first')).toBeInViewport()
  await expect(ada.channel.message('message 120.')).toHaveCount(0)
  await ada.channel.latestButton.click()
  await expect(ada.channel.message('message 120.')).toBeInViewport()
  await ada.channel.send('written at the end')
  await expect(ada.channel.message('written at the end')).toBeInViewport()
})

test('people and models are mentioned from a list, and a model answers live in the thread', async ({
  enter,
}) => {
  const [ada, bob] = [await enter('Ada Lovelace', { role: 'admin' }), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'models', bob)
  await ada.channel.openId(id)
  await bob.channel.openId(id)
  await ada.channel.box.pressSequentially('@')
  const rows = ada.channel.page.getByRole('option')
  await expect(rows.filter({ hasText: 'model' }).first()).toBeVisible()
  const starts = await rows.evaluateAll((all) =>
    all.map((row) => Math.round(row.querySelector('bdi')!.getBoundingClientRect().left)),
  )
  expect(new Set(starts).size).toBe(1)
  await ada.channel.box.pressSequentially('bob')
  await expect(ada.channel.page.getByRole('option')).toHaveText(['Bob Rossperson'])
  await ada.channel.box.press('Enter')
  await expect(ada.channel.box).toHaveValue('@Bob Ross ')
  await ada.channel.box.pressSequentially('and @text')
  await ada.channel.page.getByRole('option', { name: /text/ }).click()
  await ada.channel.box.pressSequentially('/slow 30')
  await ada.channel.box.press('Enter')
  await expect(bob.channel.message('/slow 30').locator('.mention-own')).toHaveText('@Bob Ross')
  // The user who asked sees the answer appear beside the channel.
  await expect(ada.channel.threadMessage('word1')).toContainText('Answering')
  await expect(
    bob.channel.message('/slow 30').getByRole('button', { name: /1 reply/ }),
  ).toBeVisible()
  await bob.channel
    .message('/slow 30')
    .getByRole('button', { name: /1 reply/ })
    .click()
  await expect(bob.channel.threadMessage('word30')).toBeVisible()
  await expect(bob.channel.threadMessage('word30')).not.toContainText('Answering')
  await expect(ada.channel.threadMessage('word30')).toContainText('model')
})

test('whoever asked a model stops it, and what it wrote stays', async ({ enter }) => {
  const [ada, bob] = [await enter('Ada Lovelace', { role: 'admin' }), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'stops', bob)
  const question = await post(ada, id, '<@M:text|text> /slow 600')
  await ada.channel.page.goto(`${ada.channel.url}/channels/${id}?thread=${question.id}`)
  await bob.channel.page.goto(`${bob.channel.url}/channels/${id}?thread=${question.id}`)
  await expect(bob.channel.threadMessage('word5')).toContainText('Answering')
  await expect(bob.channel.thread.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  await ada.channel.thread.getByRole('button', { name: 'Stop' }).click()
  await expect(ada.channel.threadMessage('word5')).not.toContainText('Answering')
  await expect(bob.channel.threadMessage('word5')).not.toContainText('Answering')
  await expect(bob.channel.threadMessage('word5')).not.toContainText('word600')
})

test('files are dropped, pasted and chosen, and open for everybody in the channel', async ({
  enter,
}) => {
  const [ada, bob] = [await enter('Ada Lovelace'), await enter('Bob Ross')]
  const id = await makeGroup(ada, 'papers', bob)
  await ada.channel.openId(id)
  await bob.channel.openId(id)
  await ada.channel.page
    .getByTestId('attach-files')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Oak and ash') })
  await expect(ada.channel.page.getByRole('list', { name: 'Attachments' })).toContainText(
    'plan.txt',
  )
  await ada.channel.page.evaluate(() => {
    const data = new DataTransfer()
    data.items.add(new File(['Elm'], 'dropped.txt', { type: 'text/plain' }))
    for (const type of ['dragenter', 'dragover', 'drop'])
      window.dispatchEvent(new DragEvent(type, { dataTransfer: data, cancelable: true }))
  })
  await expect(ada.channel.page.getByRole('list', { name: 'Attachments' })).toContainText(
    'dropped.txt',
  )
  await expect(
    ada.channel.page.getByRole('list', { name: 'Attachments' }).getByRole('progressbar'),
  ).toHaveCount(0)
  await expect(ada.channel.page.getByRole('list', { name: 'Attachments' })).not.toContainText(
    'Reading',
  )
  await ada.channel.box.fill('The papers')
  await ada.channel.box.press('Enter')
  await expect(ada.channel.page.getByRole('list', { name: 'Attachments' })).toHaveCount(0)
  const files = bob.channel.message('The papers').getByRole('list', { name: 'Files' })
  await expect(files.getByRole('listitem')).toHaveCount(2)
  await files.getByRole('button', { name: /plan\.txt/ }).click()
  await expect(bob.channel.dialog).toContainText('Oak and ash')
})

test('what cannot be sent stays with its reason and is sent again', async ({ enter }) => {
  const ada = await enter('Ada Lovelace')
  const id = await makeGroup(ada, 'trouble')
  await ada.channel.openId(id)
  await ada.channel.page.route('**/messages/post', (route) => route.abort())
  await ada.channel.box.fill('Can you hear me?')
  await ada.channel.box.press('Enter')
  await expect(ada.channel.message('Can you hear me?')).toContainText(
    'Not sent. The gateway cannot be reached.',
  )
  await ada.channel.page.unroute('**/messages/post')
  await ada.channel.page.getByRole('button', { name: 'Retry' }).click()
  await expect(ada.channel.message('Can you hear me?')).not.toContainText('Not sent')
  await ada.channel.page.reload()
  await expect(ada.channel.message('Can you hear me?')).toHaveCount(1)
})

test('a draft waits in its channel, also over a reload', async ({ enter }) => {
  const ada = await enter('Ada Lovelace')
  const id = await makeGroup(ada, 'drafts')
  await makeGroup(ada, 'elsewhere')
  await ada.channel.openId(id)
  await ada.channel.box.fill('half a thought')
  await ada.channel.open('elsewhere')
  await expect(ada.channel.box).toHaveValue('')
  await ada.channel.open('drafts')
  await expect(ada.channel.box).toHaveValue('half a thought')
  await ada.channel.page.reload()
  await expect(ada.channel.box).toHaveValue('half a thought')
})

test('everything is reached by keyboard', async ({ enter }) => {
  const ada = await enter('Ada Lovelace')
  const id = await makeGroup(ada, 'keys')
  await ada.channel.openId(id)
  const { page } = ada.channel
  await ada.channel.send('one')
  await ada.channel.send('two')
  // A message being sent cannot be edited yet.
  await expect(ada.channel.message('two').locator('.opacity-65')).toHaveCount(0)
  await page.keyboard.press('ArrowUp')
  const editor = page.getByRole('textbox', { name: 'Edit message' })
  await expect(editor).toHaveValue('two')
  await editor.fill('three')
  await editor.press('Enter')
  await expect(ada.channel.message('three')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(ada.channel.message('one')).toBeFocused()
  await page.keyboard.press('r')
  await page.getByRole('combobox', { name: 'Search emoji' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(
    ada.channel.message('one').getByRole('button', { name: '❤️, 1 reaction: you' }),
  ).toBeVisible()
  await ada.channel.message('one').focus()
  await page.keyboard.press('q')
  await expect(ada.channel.box).toBeFocused()
  await page.keyboard.type('an answer\n')
  await expect(
    ada.channel.message('an answer').getByRole('button', { name: 'Reply to Ada Lovelace: one' }),
  ).toBeVisible()
  await ada.channel.message('one').first().focus()
  await page.keyboard.press('Enter')
  await expect(ada.channel.threadBox).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(ada.channel.thread).toHaveCount(0)
  await ada.channel.message('three').focus()
  await page.keyboard.press('Escape')
  await expect(ada.channel.box).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('pinned')
  await page.getByRole('option', { name: 'Pinned messages' }).waitFor()
  await page.keyboard.press('Enter')
  await expect(ada.channel.pins).toBeVisible()
})

test('messages of channels are among what is found, and a hit leads to the very message', async ({
  enter,
}) => {
  const ada = await enter('Ada Lovelace')
  const id = await makeGroup(ada, 'orchard')
  await post(ada, id, 'The quince ripens late')
  await postMany(ada, id, 60)
  await ada.channel.page.getByRole('searchbox', { name: 'Search chats' }).fill('quince')
  await ada.channel.page
    .getByRole('region', { name: 'In channels' })
    .getByRole('link', { name: /quince/ })
    .click()
  await expect(ada.channel.message('quince')).toBeInViewport()
})
