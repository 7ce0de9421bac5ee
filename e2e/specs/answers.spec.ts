import { expect, test } from '../fixtures.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('an answer is asked for again with another model, which is not chosen for what follows', async ({
  chat,
}) => {
  await chat.open()
  const answer = await chat.ask('/echo which model')
  await answer.getByRole('button', { name: 'Ask another model' }).click()
  await chat.page.getByRole('menuitem', { name: 'reasoning' }).click()
  await expect(chat.answers.last()).toContainText('reasoning')
  await chat.finished()
  await expect(chat.answers.last().getByText('2/2')).toBeVisible()
  await expect(chat.modelButton).toHaveAccessibleName('Model: text')
})

test('the text of an answer is changed in place and marked, and stays so', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask('/echo teh answer')
  const edit = async (): Promise<void> => {
    await answer.getByRole('button', { name: 'More', exact: true }).click()
    await chat.page.getByRole('menuitem', { name: 'Edit' }).click()
  }
  await edit()
  const box = chat.page.getByRole('textbox', { name: 'Edit message' })
  await expect(box).toBeFocused()
  await box.fill('something else')
  await box.press('Escape')
  await expect(answer).toContainText('teh answer')
  await edit()
  await box.fill('the answer')
  await box.press('Enter')
  await box.pressSequentially('in two lines')
  const isKept = chat.page.waitForResponse(
    (reply) => reply.request().method() === 'POST' && reply.url().includes('/api/v1/chats/'),
  )
  await box.press('Control+Enter')
  await isKept
  await expect(answer).toContainText('Edited')
  await chat.page.reload()
  await expect(chat.answers.last()).toContainText('in two lines')
  await expect(chat.answers.last()).not.toContainText('teh')
  await expect(chat.answers.last()).toContainText('Edited')
})

test('a picture that comes with the text is shown at once and opens large', async ({ chat }) => {
  await chat.open()
  const answer = await chat.ask(`/echo ![a dot](data:image/png;base64,${PIXEL})`)
  const picture = answer.getByRole('img', { name: 'a dot' })
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await answer.getByRole('button', { name: 'Enlarge a dot' }).click()
  await expect(chat.page.getByRole('dialog').getByRole('img', { name: 'a dot' })).toBeVisible()
})

test('a note takes room of its own and covers nothing', async ({ chat, chatList }) => {
  await chat.open()
  await chat.ask('/echo to be archived')
  await chatList.row('/echo to be archived').focus()
  await chat.page.keyboard.press('e')
  const note = chat.page.getByRole('region', { name: 'Notifications' }).getByRole('listitem')
  await expect(note).toBeVisible()
  const { y, height } = (await note.boundingBox())!
  const header = (await chat.page.getByRole('main').boundingBox())!
  expect(header.y).toBeGreaterThanOrEqual(y + height)
  // The chat is still open, and shows that it is archived now.
  const archived = chat.page.getByRole('note').filter({ hasText: 'This chat is archived' })
  await archived.getByRole('button', { name: 'Unarchive' }).click()
  await expect(archived).toHaveCount(0)
  await expect(chatList.row('/echo to be archived')).toBeVisible()
})
