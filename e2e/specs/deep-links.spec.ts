import { expect, test } from '../fixtures.ts'
import { AttachmentsPage } from '../pages/attachments-page.ts'

test('an address brings a page along, and its question waits for the person', async ({
  chat,
  settings,
}) => {
  await settings.open('appearance')
  const saved = chat.page.waitForResponse(
    (response) => response.url().endsWith('/user/settings/update') && response.ok(),
  )
  await settings.page.getByRole('switch', { name: 'Send questions from links at once' }).click()
  await saved
  await chat.open('/?q=%2Fecho%20sum%20up&load-url=https%3A%2F%2Fpages.example%2Fa')
  await expect(chat.composer).toHaveValue('/echo sum up')
  await expect(new AttachmentsPage(chat.page).chip('pages.example/a')).toBeVisible()
  await expect(chat.answers).toHaveCount(0)
  expect(new URL(chat.page.url()).search).toBe('')
})

test('what is no page of the web is not attached', async ({ chat }) => {
  await chat.open('/?q=kept&load-url=javascript%3Aalert(1)')
  await expect(chat.composer).toHaveValue('kept')
  await expect(chat.page.getByText('javascript:')).toHaveCount(0)
})

test('a text from a link or another app is put below what is written already, once', async ({
  chat,
}) => {
  await chat.open()
  await chat.composer.fill('My own words')
  const text = 'My own words\n\nA page\nhttps://pages.example/a'
  for (const time of [1, 2]) {
    await chat.open('/?shared=A%20page&shared=https%3A%2F%2Fpages.example%2Fa')
    await expect(chat.composer, `time ${time}`).toHaveValue(text)
  }
})

test('the path of a video leads to a chat about its page', async ({ chat }) => {
  await chat.open('/watch?v=dQw4w9WgXcQ')
  await expect(
    new AttachmentsPage(chat.page).chip('www.youtube.com/watch?v=dQw4w9WgXcQ'),
  ).toBeVisible()
})

test('an address chooses tools beside those of the model', async ({ chat }) => {
  await chat.open('/?tool-ids=builtin:time&q=what%20time&submit=false')
  await expect(chat.composer).toHaveValue('what time')
  await expect(chat.page.getByRole('button', { name: 'Tools: 1 chosen' })).toBeVisible()
})
