import { ADMIN, addAccount, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { AdminPages } from '../pages/admin-pages.ts'
import { ChatPage } from '../pages/chat-page.ts'

test('a provider that asks to wait is named and told in plain words, with the time left and Retry', async ({
  chat,
}) => {
  await chat.open()
  const answer = await chat.ask('/busy 40')
  await expect(answer.getByText('127.0.0.1 is busy', { exact: true })).toBeVisible()
  await expect(answer).toContainText(/Retrying in \d+ seconds\./)
  await expect(answer.getByRole('button', { name: 'Retry now' })).toBeEnabled()
  const cause = answer.getByText('takes only so many requests in a time')
  await expect(cause).toBeHidden()
  await answer.getByText('Details', { exact: true }).click()
  await expect(cause).toBeVisible()
  await expect(answer.getByText('The provider says: “Too many requests, slow down.”')).toBeVisible()
  await expect(answer.getByRole('definition').first()).toHaveText('429')
  await expect(answer).toContainText('has had too many requests and asks to wait 40 seconds.')
  await expectAccessible(chat.page)
  await chat.page.reload()
  await expect(chat.answers.last()).toContainText(/You can retry in \d+ seconds\./)
})

test('what a provider asked to wait for can be retried when the time is over', async ({ chat }) => {
  await chat.open()
  await chat.ask('/busy 6')
  await chat.page.reload()
  await chat.answers.last().getByRole('button', { name: 'Retry', exact: true }).click()
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
})

test('a busy provider is asked again by this window when its time is over, once', async ({
  chat,
}) => {
  await chat.open()
  const first = await chat.ask('/busy 3')
  await expect(first).toContainText(/Retrying in \d seconds?\./)
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
  await expect(chat.answers.last()).toContainText(/You can retry in \d seconds?\./)
  await expect(chat.retry(chat.answers.last())).toBeEnabled()
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
  await chat.showPreviousVersion(chat.answers.last())
  await expect(chat.retry(chat.answers.last())).toHaveCount(0)
  await chat.answers.last().getByText('127.0.0.1 is busy').click()
  await expect(chat.retry(chat.answers.last())).toBeEnabled()
  await expectAccessible(chat.page)
})

test('a failed answer folds to one line when the conversation goes on', async ({ chat }) => {
  await chat.open()
  await chat.ask('/error 503')
  await expect(chat.retry(chat.answers.first())).toBeVisible()
  await chat.ask('/echo and on')
  await expect(chat.retry(chat.answers.first())).toHaveCount(0)
  await expectAccessible(chat.page)
  await chat.answers.first().locator('summary').focus()
  await chat.page.keyboard.press('Enter')
  await expect(chat.retry(chat.answers.first())).toBeVisible()
  await expectAccessible(chat.page)
})

test('the time to wait runs out and says so', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/busy 4')
  await answer.getByRole('button', { name: 'Cancel' }).click()
  await expect(answer).toContainText(/You can retry in \d seconds?\./)
  await expect(answer.getByRole('status').filter({ hasText: 'You can retry now.' })).toBeVisible()
  await expect(answer).not.toContainText('You can retry in')
})

test('a provider that does not say how long to wait gets no made-up time', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/error 429')
  await expect(answer).toContainText('127.0.0.1 is busy')
  await expect(answer).toContainText('Wait a moment and retry, or choose another model.')
  await expect(chat.retry(answer)).toBeEnabled()
  await expect(answer).not.toContainText('You can retry')
})

test('the details of an error show the status of the provider, and the log of requests does too', async ({
  page,
  chat,
  startOwnGateway,
}) => {
  await chat.open()
  const answer = await chat.ask('/error 401')
  await expect(answer).toContainText('did not accept the API key that is stored for it.')
  await answer.getByText('Details', { exact: true }).click()
  await expect(answer.getByRole('definition').first()).toHaveText('401')
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const reply = await fetch(`${gateway.url}/api/chat/completions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${gateway.adminToken}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ model: 'text', messages: [{ role: 'user', content: '/error 401' }] }),
  })
  expect(reply.status).toBe(502)
  const admin = new AdminPages(page, gateway.url)
  await admin.open('requests')
  const row = admin.row('/api/chat/completions')
  await expect(row).toContainText('401 from the provider, 502 from the gateway')
  await row.getByRole('button').first().click()
  const facts = admin.dialog('POST /api/chat/completions')
  await expect(facts.getByRole('term').filter({ hasText: 'Provider status' })).toBeVisible()
  await expectAccessible(page)
})

test('a conversation too long for its model is asked again without its oldest messages, also after a reload', async ({
  chat,
}) => {
  await chat.open()
  await chat.ask('/echo one')
  await chat.ask('/echo two')
  const answer = await chat.ask('/atmost 3')
  await expect(answer).toContainText('The model cannot read a conversation of this length at once.')
  await expect(
    answer.getByRole('button', { name: 'Choose a model with more context' }),
  ).toBeVisible()
  await expectAccessible(chat.page)
  await answer.getByRole('button', { name: 'Retry without the oldest messages' }).click()
  await expect(chat.answers.last()).toContainText('I have read 1 messages.')
  await expect(chat.answers.last()).toContainText('Answered without the 4 oldest messages')
  await chat.finished()
  await chat.page.reload()
  await expect(chat.answers.last()).toContainText('Answered without the 4 oldest messages')
  const next = await chat.ask('/atmost 3')
  await expect(next).toContainText('I have read 3 messages.')
})

test('where only the question is left, a model with more context is the way on', async ({
  chat,
}) => {
  await chat.open()
  const answer = await chat.ask('/atmost 0')
  await expect(answer).toContainText('The model cannot read a conversation of this length at once.')
  await expect(
    answer.getByRole('button', { name: 'Retry without the oldest messages' }),
  ).toHaveCount(0)
  await expect(chat.retry(answer)).toBeVisible()
  await answer.getByRole('button', { name: 'Choose a model with more context' }).click()
  await expect(chat.page.getByRole('combobox', { name: 'Choose a model' })).toBeFocused()
})

for (const [command, title, main] of [
  ['/error 401', 'The API key was rejected', 'Save and retry'],
  ['/error 402', 'The provider’s credit is used up', 'Change model'],
  ['/error 404', 'The provider does not have this model', 'Change model'],
  ['/error 413', 'Your message is too large', 'Change the message'],
  ['/error 422', 'The provider rejected the request', 'Change model'],
  ['/error 503', 'The provider is overloaded or starting', 'Retry'],
  ['/html 500', 'The provider had a problem', 'Retry'],
  ['/redirect', 'The provider has moved', 'Open connection settings'],
] as const) {
  test(`“${command}” is told as “${title}” with one way on that stands out`, async ({ chat }) => {
    await chat.open()
    const answer = await chat.ask(command)
    await expect(answer).toContainText(title)
    await expect(answer).not.toContainText('The provider of the connection')
    expect(await answer.innerText()).not.toMatch(/upstream|other side/i)
    await expect(answer.locator('button.bg-accent')).toHaveText([main])
    expect(await answer.locator('[data-message-error] button.border').count()).toBeLessThan(2)
    await expect(answer.getByText('The provider says:')).toBeHidden()
    for (const name of ['Copy', 'Good answer', 'Bad answer', /^Regenerate/])
      await expect(answer.getByRole('button', { name })).toHaveCount(0)
  })
}

for (const [command, advice] of [
  ['/error 401', 'Ask your administrator to check the key, or choose another model.'],
  ['/error 402', 'Ask your administrator to check the account at the provider'],
  ['/redirect', 'Ask your administrator to enter the new address.'],
] as const) {
  test(`a member is told after “${command}” what a member can do`, async ({ page, gateway }) => {
    await settleIn(page.context(), gateway, await addAccount(gateway, gateway.adminToken, 'user'))
    const member = new ChatPage(page, gateway.url)
    await member.open()
    const answer = await member.ask(command)
    await expect(answer).toContainText(advice)
    await expect(answer).not.toContainText('The provider says')
    await expect(answer.locator('button.bg-accent')).toHaveText(['Change model'])
    for (const name of ['Open connection settings', 'Find the cause'])
      await expect(answer.getByRole('button', { name })).toHaveCount(0)
    await expectAccessible(page)
  })
}

test('where the credit is used up, an administrator is led to the page of the provider', async ({
  chat,
}) => {
  await chat.page.route('**/api/v1/connections', async (route) => {
    const reply = await route.fetch()
    const connections = (await reply.json()) as object[]
    const url = 'https://api.openai.com/v1'
    await route.fulfill({ json: connections.map((each) => ({ ...each, url })) })
  })
  await chat.open()
  const answer = await chat.ask('/error 402')
  const link = answer.getByRole('link', { name: 'Billing at OpenAI' })
  await expect(link).toHaveAttribute('href', /^https:\/\/platform\.openai\.com\//)
  await expectAccessible(chat.page)
})

test('“Change the message” opens the question for editing', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/error 413')
  await answer.getByRole('button', { name: 'Change the message' }).click()
  await expect(chat.page.getByRole('textbox', { name: 'Edit message' })).toHaveValue('/error 413')
})

test('an answer that broke off goes on first, and can be asked for again', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/cut')
  await expect(answer).toContainText('The answer was cut off')
  await expect(answer).toContainText('The text so far is kept. Continue from here')
  await expect(answer.locator('button.bg-accent')).toHaveText(['Continue'])
  await expect(answer.getByRole('button', { name: /^Regenerate$/ })).toHaveCount(0)
  await expect(chat.retry(answer)).toBeVisible()
  await expect(chat.copy(answer)).toBeVisible()
})

test('a rejected key is replaced in the answer, and the question is asked again', async ({
  page,
  startOwnGateway,
  upstream,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const chat = new ChatPage(page, gateway.url)
  await page.setViewportSize({ width: 390, height: 844 })
  await chat.open()
  const answer = await chat.ask('/error 401')
  const field = answer.getByLabel('API key', { exact: true })
  await expect(field).toHaveAttribute('type', 'password')
  await expect(field).toHaveAccessibleDescription(
    'This replaces the key of 127.0.0.1 for everyone who uses it.',
  )
  const save = answer.getByRole('button', { name: 'Save and retry' })
  const boxes = [save, answer.getByRole('button', { name: 'Change model' }), chat.more(answer)]
  const [first, second, menu] = await Promise.all(boxes.map((box) => box.boundingBox()))
  expect(first!.width).toBeCloseTo(menu!.x + menu!.width - second!.x, 0)
  expect(second!.y).toBeGreaterThanOrEqual(first!.y + first!.height)
  await expectAccessible(page, BOTH_SCHEMES)
  await chat.more(answer).click()
  await expect(page.getByRole('menuitem')).toContainText([
    'Open connection settings',
    'Retry',
    'Add to favourites',
  ])
  await page.keyboard.press('Escape')
  await field.fill('sk-another')
  await save.click()
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
  expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-another')
})

for (const [width, isPhone] of [
  [1280, false],
  [390, true],
] as const) {
  test(`at ${width} pixels nothing moves when the form for a rejected key arrives late`, async ({
    browser,
    startOwnGateway,
  }) => {
    const gateway = await startOwnGateway()
    const context = await browser.newContext({
      viewport: { width, height: 844 },
      hasTouch: isPhone,
      isMobile: isPhone,
    })
    await settleIn(context, gateway, ADMIN)
    const page = await context.newPage()
    const chat = new ChatPage(page, gateway.url)
    await chat.open()
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/key-repair/, async (route) => {
      await released
      await route.continue()
    })
    await chat.send('/error 401')
    const answer = chat.answers.last()
    const parts = [answer.locator('[data-message-error]'), chat.more(answer)]
    await parts[1]!.waitFor()
    const field = answer.getByLabel('API key', { exact: true })
    await expect(field).toHaveCount(0)
    const before = await Promise.all(parts.map((part) => part.boundingBox()))
    release()
    await field.waitFor()
    const after = await Promise.all(parts.map((part) => part.boundingBox()))
    for (const [index, box] of after.entries())
      for (const side of ['x', 'y', 'width', 'height'] as const)
        expect(Math.abs(box![side] - before[index]![side]), `${index} ${side}`).toBeLessThan(5)
    await context.close()
  })
}

test('a busy provider can be asked at once, before its time is over', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/busy 40')
  await answer.getByRole('button', { name: 'Retry now' }).click()
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
})
