import { expect, test } from '../fixtures.ts'
import { AttachmentsPage } from '../pages/attachments-page.ts'

/**
 * Runs wherever it is treated as HTML or script; the page then has a variable that must never
 * exist.
 */
const HOSTILE = `"><img src=x onerror="window.__canary=1"><script>window.__canary=1</script><svg onload="window.__canary=1">`

const canary = (page: {
  evaluate: (script: () => unknown) => Promise<unknown>
}): Promise<unknown> =>
  page.evaluate(() => (globalThis as unknown as { __canary?: unknown }).__canary)

const EVENT_TYPES = [
  'execute',
  'status',
  'notification',
  'confirmation',
  'input',
  'chat:message:delta',
  'message',
  'chat:message',
  'replace',
  'files',
  'chat:message:files',
  'source',
  'citation',
  'embeds',
  'chat:message:embeds',
  'chat:message:artifact',
  'chat:completion',
  'chat:title',
  'chat:tags',
  'chat:list',
  'chat:active',
]

test('row 21: frames of a model server that look like our own events do nothing', async ({
  chat,
}) => {
  const data = {
    code: 'window.__canary=1',
    content: 'taken over',
    title: 'Taken over',
    description: 'taken over',
    embeds: ['<script>window.__canary=1</script>'],
  }
  const frames = EVENT_TYPES.flatMap((type) => [
    `data: ${JSON.stringify({ type, data })}\n\n`,
    `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
    `data: ${JSON.stringify({ type: 'events', data: { type, data } })}\n\n`,
  ])
  await chat.open()
  const answer = await chat.ask(`/frames ${frames.join('')}`)
  await expect(answer).toContainText('after the frames')
  await expect(answer).not.toContainText('taken over')
  await expect(answer.locator('iframe')).toHaveCount(0)
  await expect(chat.chatList.getByText('Taken over')).toHaveCount(0)
  expect(await canary(chat.page)).toBeUndefined()
})

test('row 21: events in the text of an answer are text', async ({ chat }) => {
  const text = JSON.stringify({ type: 'execute', data: { code: 'window.__canary=1' } })
  await chat.open()
  await expect(await chat.ask(`/crumbs ${text}`)).toContainText('execute')
  expect(await canary(chat.page)).toBeUndefined()
})

test('row 37: nobody sends a script to a window over the event endpoint', async ({ chat }) => {
  await chat.open()
  await chat.ask('/echo hello')
  const messageId = await chat.answers.last().getAttribute('data-message-id')
  const response = await chat.page.request.post(
    `${chat.url}/api/v1/chats/${chat.path().slice('/c/'.length)}/messages/${messageId}/event`,
    {
      data: { type: 'execute', data: { code: 'window.__canary=1' } },
    },
  )
  expect(response.status()).toBeLessThan(500)
  await chat.ask('/echo still here')
  expect(await canary(chat.page)).toBeUndefined()
})

test('row 26: sources with other addresses than web pages are plain text', async ({ chat }) => {
  await chat.open()
  await chat.ask('/echo with sources')
  const messageId = await chat.answers.last().getAttribute('data-message-id')
  const hostile = [
    'javascript:window.__canary=1',
    'JaVaScRiPt:window.__canary=1',
    'java\tscript:window.__canary=1',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:null/1',
  ]
  for (const [index, url] of [...hostile, 'https://good.example/page'].entries()) {
    const response = await chat.page.request.post(
      `${chat.url}/api/v1/chats/${chat.path().slice('/c/'.length)}/messages/${messageId}/event`,
      {
        data: {
          type: 'source',
          data: {
            source: { name: `Source number ${index}`, url },
            document: ['x'],
            metadata: [{}],
          },
        },
      },
    )
    expect(response.ok()).toBe(true)
  }
  await chat.answers.last().getByRole('button', { name: '8 sources' }).click()
  const sources = chat.answers.last().getByRole('list', { name: 'Sources' })
  await expect(sources.getByRole('listitem')).toHaveCount(hostile.length + 1)
  await expect(sources.getByRole('link')).toHaveCount(0)
  const { viewer } = new AttachmentsPage(chat.page)
  for (const index of hostile.keys()) {
    await sources.getByRole('button', { name: `Source number ${index}` }).click()
    await expect(viewer).toContainText(`Source number ${index}`)
    await expect(viewer.getByRole('link')).toHaveCount(0)
  }
  await sources.getByRole('button', { name: 'Source number 7' }).click()
  await expect(viewer.getByRole('link').first()).toHaveAttribute(
    'href',
    'https://good.example/page',
  )
  await expect(viewer.getByRole('link').first()).toHaveAttribute('rel', /noopener/)
  expect(await canary(chat.page)).toBeUndefined()
})

test('rows 32 and 35: titles, search hits, notes, model and person names are text everywhere', async ({
  chat,
  chatList,
  settings,
}) => {
  await chat.open()
  await chat.ask(`/crumbs findme ${HOSTILE}`)
  await expect(chat.userMessages.first()).toContainText('<script>')
  const renamed = await chat.page.request.post(
    `${chat.url}/api/v1/chats/${chat.path().slice('/c/'.length)}`,
    {
      data: { chat: { title: `Title ${HOSTILE}` } },
    },
  )
  expect(renamed.ok()).toBe(true)
  await expect(chatList.row('Title ">')).toContainText('<script>')
  await chatList.searchBox.fill('findme')
  await expect(chatList.rows.first()).toContainText('findme')
  await chatList.searchBox.fill('')
  await chat.page.keyboard.press('Control+k')
  await expect(chat.page.getByRole('option', { name: 'Title' })).toContainText('<script>')
  await chat.page.keyboard.press('Escape')
  await chatList.row('Title ">').focus()
  await chat.page.keyboard.press('Delete')
  await expect(chatList.note('<script>')).toBeVisible()
  await settings.open('account')
  await settings.page.getByLabel('Name', { exact: true }).fill(`G ${HOSTILE}`)
  await settings.page.getByRole('button', { name: 'Save' }).click()
  await expect(settings.note('Saved')).toBeVisible()
  await chat.open()
  await expect(chat.page.getByRole('button', { name: 'account menu' })).toContainText('<script>')
  expect(await canary(chat.page)).toBeUndefined()
})

test('the policy of the page is the strict one, and watching it works', async ({
  chat,
  troubles,
}) => {
  const response = await chat.page.goto(chat.url)
  const policy = response!.headers()['content-security-policy']
  for (const part of [
    "default-src 'none'",
    "'strict-dynamic'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ]) {
    expect(policy).toContain(part)
  }
  expect(policy).not.toContain('unsafe-inline')
  expect(policy).not.toContain('unsafe-eval')
  await chat.composer.waitFor()
  await chat.page.evaluate(() => {
    const image = new Image()
    image.src = 'http://127.0.0.1:9/blocked.png'
    document.body.append(image)
  })
  await expect.poll(() => troubles.policyViolations.length).toBe(1)
  troubles.policyViolations.length = 0
})
