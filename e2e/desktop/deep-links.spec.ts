import { once } from 'node:events'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, shareApp, takePicture, test, type DesktopApp } from './desktop-app.ts'

const sharedApp = shareApp()

/** Opens a link as the system does, by starting the app a second time. */
async function follow(app: DesktopApp, link: string): Promise<void> {
  const [code] = await once(app.startAgain(link), 'exit')
  expect(code).toBe(0)
}

test('a link with a question shows it, and puts it into the message box only when that is agreed to', async () => {
  const app = sharedApp()
  await follow(app, 'chat-gateway://ask?text=What%20is%20a%20bridge%3F')
  await expect(
    app.page.getByRole('heading', { name: 'Begin a chat with this text?' }),
  ).toBeVisible()
  await expect(app.page.getByText('What is a bridge?')).toBeVisible()
  await takePicture(app.page, 'link-question')
  await expectAccessible(app.page, BOTH_SCHEMES)
  await app.page.getByRole('button', { name: 'Cancel' }).click()
  await expect(app.chat.composer).toHaveValue('')

  await follow(app, 'chat-gateway://ask?text=What%20is%20a%20bridge%3F')
  await app.page.getByRole('button', { name: 'Put into the message box' }).click()
  await expect(app.chat.composer).toHaveValue('What is a bridge?')
  await expect(app.chat.userMessages).toHaveCount(0)
})

test('a link to a chat opens it after a question', async () => {
  const app = sharedApp()
  await app.chat.ask('Remember this line.')
  const path = app.chat.path()
  await app.chat.open()
  await follow(app, `chat-gateway://chat/${path.slice('/c/'.length)}`)
  await app.page.getByRole('button', { name: 'Open chat' }).click()
  await expect(app.chat.userMessages.last()).toContainText('Remember this line.')
  expect(app.chat.path()).toBe(path)
})

test('a link with a tool server shows all of it; it is added only when that is agreed to', async () => {
  const app = sharedApp()
  const config = { url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': 'shown as well' } }
  const link = `chat-gateway://add-mcp?name=linked&config=${encodeURIComponent(JSON.stringify(config))}`
  await follow(app, link)
  await expect(app.page.getByText('shown as well')).toBeVisible()
  await takePicture(app.page, 'link-tool-server')
  await expectAccessible(app.page, BOTH_SCHEMES)
  await app.page.getByRole('button', { name: 'Cancel' }).click()
  await app.page.goto(`${app.gateway().url}/workspace/tools`)
  await expect(app.page.getByText('No server yet.').or(app.page.getByText('linked'))).toBeVisible()
  await expect(app.page.getByText('linked')).toHaveCount(0)

  await follow(app, link)
  await app.page.getByRole('button', { name: 'Add tool server' }).click()
  await app.page.waitForURL('**/workspace/tools')
  await expect(app.page.getByText('linked').first()).toBeVisible()
})

test('a hostile link gets a sentence and nothing happens', async () => {
  const app = sharedApp()
  for (const [link, sentence] of [
    ['chat-gateway://chat/javascript:alert(1)', 'does not offer to links'],
    ['chat-gateway://ask?text=a%E2%80%AEb', 'cannot be seen'],
    [`chat-gateway://ask?text=${'a'.repeat(120_000)}`, 'longer than any'],
  ] as const) {
    await follow(app, link)
    await expect(app.page.getByText(sentence)).toBeVisible()
  }
  await takePicture(app.page, 'link-refused')
  await expectAccessible(app.page)
  await app.page.getByRole('button', { name: 'Close' }).click()
  await expect(app.chat.composer).toBeVisible()
})
