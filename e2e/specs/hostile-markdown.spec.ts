import type { Page } from '@playwright/test'
import { hostilePayloads } from '../../renderer/ui/markdown/hostile-payloads.ts'
import { expect, test } from '../fixtures.ts'

const PER_MESSAGE = 40

interface Watch {
  /** Everything that should not have happened. */
  readonly found: string[]
}

/** Records scripts that ran, dialogs, windows and requests to any server but the gateway. */
async function watch(page: Page, url: string): Promise<Watch> {
  const found: string[] = []
  page.on('dialog', (dialog) => {
    found.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => found.push(`window ${popup.url()}`))
  page.on('request', (request) => {
    const isOurs = request.url().startsWith(url) || /^(data|blob|about):/.test(request.url())
    if (!isOurs) found.push(`request ${request.url()}`)
  })
  await page.addInitScript(() => {
    Object.defineProperty(window, '__canary', {
      set: () => {
        console.error('canary')
      },
    })
  })
  page.on('console', (message) => {
    if (message.text() === 'canary') found.push('script')
  })
  return { found }
}

const packed = (): string[] => {
  const messages: string[] = []
  for (let start = 0; start < hostilePayloads.length; start += PER_MESSAGE) {
    messages.push(hostilePayloads.slice(start, start + PER_MESSAGE).join('\n\n'))
  }
  return messages
}

test('rows 22, 26, 29, 38: hostile texts of a stored chat run nothing, load nothing and lead nowhere', async ({
  chat,
  gateway,
}) => {
  const { page } = chat
  const watched = await watch(page, gateway.url)
  const messages = Object.fromEntries(
    packed().map((content, index, all) => [
      `m${index}`,
      {
        id: `m${index}`,
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: index % 2 === 0 ? content : `${content}\n\nEnd of ${index}.`,
        parentId: index === 0 ? null : `m${index - 1}`,
        childrenIds: index === all.length - 1 ? [] : [`m${index + 1}`],
        timestamp: 1_700_000_000 + index,
        done: true,
      },
    ]),
  )
  const created = await page.context().request.post(`${gateway.url}/api/v1/chats/new`, {
    data: { chat: { title: 'Hostile', history: { messages } } },
  })
  const { id } = (await created.json()) as { id: string }
  await chat.open(`/c/${id}`)
  await expect(chat.answers.last()).toContainText('End of')
  for (const answer of await chat.answers.all()) await answer.scrollIntoViewIfNeeded()
  const frames = await page
    .locator('iframe')
    .evaluateAll((all) =>
      all.map((frame) => [frame.getAttribute('sandbox'), frame.getAttribute('src')]),
    )
  for (const [sandbox, src] of frames)
    expect([sandbox, src]).toEqual(['allow-scripts', '/frames/diagram.html'])
  const addresses = await page
    .locator('article a')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol))
  expect(
    addresses.filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol)),
  ).toEqual([])
  expect(
    await page.locator('article :is(script, img, object, embed, form, video, audio)').count(),
  ).toBe(0)
  expect(watched.found).toEqual([])
})

test('rows 22 and 38: hostile texts run nothing and load nothing while they stream', async ({
  chat,
  gateway,
}) => {
  const watched = await watch(chat.page, gateway.url)
  await chat.open()
  await chat.chooseModel('text')
  for (const content of packed().filter((_, index) => index % 5 === 0))
    await chat.ask(`/echo\n\n${content}`)
  expect(watched.found).toEqual([])
})

test('row 28: the frame of a diagram reaches neither the page, nor storage, nor the gateway', async ({
  chat,
  troubles,
}) => {
  await chat.open()
  await chat.chooseModel('text')
  await chat.ask('/echo diagram\n\n```mermaid\nflowchart LR\n  A-->B\n```')
  const frame = chat.page.frameLocator('iframe')
  await expect(frame.locator('svg')).toBeVisible({ timeout: 20_000 })
  const reached = await frame.locator('body').evaluate(async () => {
    const attempt = (act: () => unknown): boolean => {
      try {
        act()
        return true
      } catch {
        return false
      }
    }
    const fetched = await fetch('/api/models').then(
      () => true,
      () => false,
    )
    return {
      origin: self.origin,
      page: attempt(() => window.parent.document),
      storage: attempt(() => localStorage),
      cookies: attempt(() => document.cookie),
      fetched,
    }
  })
  expect(reached).toEqual({
    origin: 'null',
    page: false,
    storage: false,
    cookies: false,
    fetched: false,
  })
  // The policy of the frame blocked the request, which is what this spec tests.
  await expect
    .poll(() => troubles.policyViolations)
    .toEqual([
      expect.stringMatching(/^connect-src stopped .*\/api\/models.* in .*\/frames\/diagram\.html$/),
    ])
  troubles.policyViolations.length = 0
})
