import { expect, test } from '../fixtures.ts'

test('an answer streams, its markdown is drawn and both stay after a reload', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/markdown')
  await expect(answer.getByRole('heading', { name: 'Heading', exact: true })).toBeVisible()
  await expect(answer.getByRole('table')).toContainText('Column')
  await expect(answer.getByRole('listitem').filter({ hasText: 'first' })).toBeVisible()
  await expect(answer.getByRole('figure', { name: 'Code, ts' })).toContainText('const answer = 42')
  await expect(answer.locator('math')).toContainText('e')
  await chat.page.reload()
  await expect(
    chat.answers.last().getByRole('heading', { name: 'Heading', exact: true }),
  ).toBeVisible()
  await expect(chat.userMessages).toContainText('/markdown')
})

test('words appear while the answer is still being written, none twice and none missing', async ({
  chat,
}) => {
  await chat.open()
  await chat.send('/slow 40')
  await expect(chat.answers.last()).toContainText('word3')
  await expect(chat.stopButton).toBeVisible()
  await chat.finished()
  expect(await chat.words()).toEqual(Array.from({ length: 40 }, (_, index) => `word${index + 1}`))
})

test('the second question carries the conversation so far to the model', async ({
  chat,
  upstream,
}) => {
  await chat.open()
  await chat.ask('/echo first of two questions')
  await chat.ask('/echo second of two questions')
  const sent = upstream.requests.find((request) => request.text.includes('second of two questions'))
  const messages = sent?.json?.['messages'] as { role: string; content: string }[]
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  await expect(chat.page.getByText('Unread')).toHaveCount(0)
})

test('stop keeps the text so far and says so', async ({ chat }) => {
  await chat.open()
  await chat.send('/slow 400')
  await expect(chat.answers.last()).toContainText('word8')
  await chat.stopButton.click()
  await expect(chat.answers.last()).toContainText('Stopped. The text so far has been kept.')
  await expect(chat.sendButton).toBeVisible()
  const kept = await chat.words()
  expect(kept.length).toBeGreaterThanOrEqual(8)
  await chat.page.reload()
  await expect(chat.answers.last()).toContainText('Stopped. The text so far has been kept.')
  expect(await chat.words()).toEqual(kept)
})

test('a message written during an answer waits for its end, can be changed, and is sent by itself', async ({
  chat,
}) => {
  await chat.open()
  const waiting = chat.page.getByRole('region', { name: 'Queued messages' })
  await chat.send('/slow 30')
  await chat.send('/echo meanwhile')
  await chat.send('/echo thrown away')
  await expect(waiting).toContainText('Will be sent when this answer is complete')
  await waiting.getByRole('button', { name: 'Remove message' }).last().click()
  await waiting.getByRole('button', { name: 'Edit message' }).click()
  await expect(chat.composer).toHaveValue('/echo meanwhile')
  await chat.send('/echo afterwards')
  await expect(chat.userMessages).toHaveCount(1)
  await expect(chat.userMessages).toHaveCount(2)
  await chat.finished()
  await expect(chat.answers.last()).toContainText('afterwards')
  await expect(waiting).toBeHidden()
  await chat.composer.press('ArrowUp')
  await expect(chat.page.getByRole('textbox', { name: 'Edit message' })).toHaveValue(
    '/echo afterwards',
  )
  await chat.page.keyboard.press('Escape')
  await expect(chat.composer).toBeFocused()
})

test('Escape stops an answer, and what waited for it is sent only on request', async ({ chat }) => {
  await chat.open()
  await chat.sendWithoutEnd()
  await chat.send('/echo meanwhile')
  await chat.composer.press('Escape')
  await expect(chat.answers.last()).toContainText('Stopped')
  await expect(chat.userMessages).toHaveCount(1)
  await chat.page.getByRole('button', { name: 'Send now' }).click()
  await expect(chat.userMessages).toHaveCount(2)
  await chat.finished()
  await chat.sendWithoutEnd()
  await chat.send('kept over a reload')
  await chat.page.reload()
  await expect(chat.composer).toHaveValue('kept over a reload')
  await chat.stopButton.click()
})

for (const [command, sentence] of [
  ['/error 401', 'The API key was rejected'],
  ['/error 429', 'is busy'],
  ['/error 503', 'The provider is overloaded or starting'],
  ['/html 502', '502'],
] as const) {
  test(`after “${command}” the reason stands in the message's place, with Retry`, async ({
    chat,
  }) => {
    await chat.open()
    const answer = await chat.ask(command)
    await expect(answer).toContainText(sentence)
    await expect(answer).not.toContainText('sk-canary')
    await expect(answer).not.toContainText('10.1.2.3')
    await expect(chat.userMessages.last()).toContainText(command)
    if (command === '/error 401') await chat.retryUnchanged(answer)
    else await chat.retry(answer).click()
    await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
  })
}

test('the details of an error tell what a person reports', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/error 503')
  await answer.getByText('Details', { exact: true }).click()
  await expect(answer.getByRole('term')).toContainText(['Code', 'Model'])
  await expect(answer).toContainText('upstream_unavailable')
})

test('“Change model” after an error opens the picker', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/error 503')
  await answer.getByRole('button', { name: 'Change model' }).click()
  await expect(chat.page.getByRole('combobox', { name: 'Choose a model' })).toBeFocused()
})

test('an answer cut in the middle keeps its text and says so', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/cut')
  await expect(answer).toContainText('Partial text before')
  await expect(answer).toContainText('The answer was cut off')
  await expect(chat.retry(answer)).toBeVisible()
})

test('a message the gateway never got stays on the screen and can be sent again', async ({
  chat,
}) => {
  await chat.open()
  await chat.page.route('**/api/v1/chats/new', (route) => route.abort())
  await chat.send('/echo lost and found')
  await expect(chat.answers.last()).toContainText('Your message did not get through')
  await expect(chat.userMessages).toContainText('/echo lost and found')
  await chat.page.unroute('**/api/v1/chats/new')
  await chat.retry(chat.answers.last()).click()
  await expect(chat.answers).toHaveText([/lost and found/])
  await chat.finished()
})

test('reasoning is folded into one line and is no part of the answer', async ({
  chat,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await chat.open()
  const answer = await chat.ask('/reasoning')
  await expect(answer).toContainText('Then I answer it.')
  await expect(answer.getByText('First I look at the question.')).toHaveCount(0)
  await chat.thought(answer).click()
  await expect(answer.getByText('First I look at the question.')).toBeVisible()
  await chat.copy(answer).click()
  await expect(answer.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await chat.page.evaluate(() => navigator.clipboard.readText())).toBe('Then I answer it.')
})

test('code is copied as it was written', async ({ chat, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await chat.open()
  const answer = await chat.ask('/markdown')
  await answer.getByRole('button', { name: 'Copy code' }).click()
  await expect(answer.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await chat.page.evaluate(() => navigator.clipboard.readText())).toBe('const answer = 42')
})

test('code gets its colours', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/markdown')
  const code = answer.getByRole('figure', { name: 'Code, ts' }).locator('code')
  await expect
    .poll(() =>
      code
        .locator('span')
        .evaluateAll((parts) => new Set(parts.map((part) => getComputedStyle(part).color)).size),
    )
    .toBeGreaterThan(1)
})

test('a diagram is drawn when its code is complete', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask(
    '/crumbs Look:\n\n```mermaid\ngraph TD; Start-->Finish\n```\n\nThat was it.',
  )
  const frame = answer.frameLocator('iframe[title="Diagram"]')
  await expect(frame.locator('svg')).toContainText('Finish')
  await expect(answer.getByText('Diagram code')).toBeVisible()
  const widthOf = () => frame.locator('svg').evaluate((svg) => svg.getBoundingClientRect().width)
  const before = await widthOf()
  expect(before).toBeGreaterThan(40)
  await answer.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(widthOf).toBeGreaterThan(before * 1.4)
  await answer.getByRole('button', { name: 'Fit to width' }).click()
  await expect.poll(widthOf).toBeCloseTo(before, 0)
  const saved = chat.page.waitForEvent('download')
  await answer.getByRole('button', { name: 'Download as SVG' }).click()
  expect((await saved).suggestedFilename()).toBe('diagram.svg')
})

test('a tall diagram keeps to a part of the window, also when it is drawn far below it', async ({
  chat,
}) => {
  await chat.open()
  const steps = Array.from({ length: 30 }, (_, index) => `S${index}-->S${index + 1}`).join('; ')
  await chat.ask(`/echo tall\n\n\`\`\`mermaid\ngraph TD; ${steps}\n\`\`\``)
  await chat.ask(`/echo ${'word '.repeat(900)}`)
  await chat.page.reload()
  const answer = chat.answers.first()
  await answer.scrollIntoViewIfNeeded()
  const svg = answer.frameLocator('iframe[title="Diagram"]').locator('svg')
  await expect(svg).toContainText('S30')
  const box = answer.getByRole('region', { name: 'Diagram' })
  // The frame grows to the size of its drawing a moment after the drawing appears.
  await expect(async () => {
    const [shown, whole] = await box.evaluate((element) => [
      element.clientHeight,
      element.scrollHeight,
    ])
    expect(whole).toBeGreaterThan(shown!)
    expect(shown).toBeLessThan(chat.page.viewportSize()!.height * 0.71)
  }).toPass({ timeout: 10_000 })
})

test('a picture from elsewhere is only offered as a link', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/crumbs Look: ![a cat](https://pictures.example/cat.png?secret=1)')
  await expect(answer.getByRole('link', { name: 'a cat, image at pictures.example' })).toBeVisible()
  await expect(answer.locator('.markdown img')).toHaveCount(0)
})

test('the status of an answer is shown in one line and its steps can be looked at', async ({
  chat,
}) => {
  await chat.open()
  await chat.sendWithoutEnd()
  const messageId = await chat.answers.last().getAttribute('data-message-id')
  const status = (description: string, done: boolean) =>
    chat.page.request.post(
      `${chat.url}/api/v1/chats/${chat.path().slice('/c/'.length)}/messages/${messageId}/event`,
      {
        data: { type: 'status', data: { description, done } },
      },
    )
  expect((await status('Reading the manual', false)).ok()).toBe(true)
  await expect(chat.answers.last().getByText('Reading the manual')).toBeVisible()
  await status('Found the page', true)
  await expect(chat.answers.last().getByText('2 steps')).toBeVisible()
  await chat.answers.last().getByText('2 steps').click()
  await expect(chat.answers.last().getByText('Found the page')).toBeVisible()
  await chat.stopButton.click()
})

test('screen readers hear that an answer begins and how it ended, not its words', async ({
  chat,
}) => {
  await chat.open()
  const heard: string[] = []
  await chat.page.exposeFunction('hear', (text: string) => heard.push(text))
  await chat.page.evaluate(() => {
    const region = document.querySelector('[data-live-region]')!
    const { hear } = globalThis as unknown as { hear: (text: string) => void }
    new MutationObserver(() => hear(region.textContent)).observe(region, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  })
  await chat.ask('/slow 30')
  await expect.poll(() => heard.filter(Boolean)).toEqual(['Answering', 'Answer finished, 30 words'])
})
