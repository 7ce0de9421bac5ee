import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import type { ChatPage } from '../pages/chat-page.ts'

const waitingIn = (chat: ChatPage) => chat.page.getByRole('region', { name: 'Queued messages' })

async function queue(chat: ChatPage, ...texts: readonly string[]): Promise<void> {
  await chat.open()
  await chat.sendWithoutEnd()
  for (const text of texts) await chat.send(text)
  await expect(waitingIn(chat).getByRole('listitem')).toHaveCount(texts.length)
}

test('messages that wait are put in another order by keyboard and by dragging', async ({
  chat,
}) => {
  await queue(chat, 'first', 'second', 'third')
  const rows = waitingIn(chat).getByRole('listitem')
  await expectAccessible(chat.page)
  const up = rows.filter({ hasText: 'third' }).getByRole('button', { name: 'Move up' })
  await up.focus()
  await chat.page.keyboard.press('Enter')
  await expect(rows.locator('bdi')).toHaveText(['first', 'third', 'second'])
  await expect(up).toBeFocused()
  await chat.page.keyboard.press('Enter')
  await expect(rows.locator('bdi')).toHaveText(['third', 'first', 'second'])
  await rows.filter({ hasText: 'second' }).dragTo(rows.filter({ hasText: 'third' }))
  await expect(rows.locator('bdi')).toHaveText(['second', 'third', 'first'])
})

test('what is typed while an answer runs steers it: what is there of it stays, and the model reads both', async ({
  chat,
  upstream,
}) => {
  await chat.open()
  await chat.send('/slow 400')
  await expect(chat.answers.last()).toContainText('word3')
  await chat.composer.fill('/echo shorter please')
  await chat.composer.press('Control+Enter')
  await expect(chat.answers).toHaveCount(2)
  await expect(chat.answers.last()).toContainText('shorter please')
  await expect(chat.answers.first()).toContainText('word3')
  await expect(chat.answers.first()).not.toContainText('word400')
  await expect(waitingIn(chat)).toHaveCount(0)
  const asked = upstream.requests.findLast(({ text }) => text.includes('shorter please'))
  expect(asked?.text).toContain('word3')
})

test('a message further down is sent now, and the others wait for its answer', async ({ chat }) => {
  await queue(chat, '/echo later', '/echo now')
  const rows = waitingIn(chat).getByRole('listitem')
  await rows.filter({ hasText: '/echo now' }).getByRole('button', { name: 'Send now' }).click()
  await expect(chat.userMessages).toContainText(['/stall', '/echo now', '/echo later'])
})
