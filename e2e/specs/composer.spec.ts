import { expect, test } from '../fixtures.ts'

test('Shift and Enter start a new line, Enter sends', async ({ chat }) => {
  await chat.open()
  await chat.composer.pressSequentially('/echo one')
  await chat.composer.press('Shift+Enter')
  await chat.composer.pressSequentially('two')
  await expect(chat.composer).toHaveValue('/echo one\ntwo')
  await chat.composer.press('Enter')
  await expect(chat.composer).toHaveValue('')
  await expect(chat.composer).toBeFocused()
  await expect(chat.answers.last()).toContainText('two')
})

test('it grows with the text up to ten lines', async ({ chat }) => {
  await chat.open()
  const height = async () => (await chat.composer.boundingBox())!.height
  const empty = await height()
  await chat.composer.fill('line\n'.repeat(4))
  const five = await height()
  await chat.composer.fill('line\n'.repeat(30))
  const many = await height()
  expect(five).toBeGreaterThan(empty)
  expect(many).toBeGreaterThan(five)
  expect(many).toBeLessThan(empty + 11 * 26)
})

test('an empty message cannot be sent, and the button says why', async ({ chat }) => {
  await chat.open()
  await chat.composer.fill('   ')
  await chat.composer.press('Enter')
  await expect(chat.userMessages).toHaveCount(0)
  await chat.sendButton.hover()
  await expect(chat.page.getByRole('tooltip')).toHaveText('Write something first')
})

test('a large paste becomes a chip that can be removed', async ({ chat }) => {
  await chat.open()
  await chat.composer.focus()
  await chat.page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'a line\n'.repeat(2999) + 'the end')
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  })
  await expect(
    chat.page
      .getByText('Pasted text, 3,000 lines')
      .or(chat.page.getByText('Pasted text, 3000 lines')),
  ).toBeVisible()
  await expect(chat.composer).toHaveValue('')
  await chat.page.getByRole('button', { name: 'Remove pasted text' }).click()
  await expect(chat.page.getByText('Pasted text')).toHaveCount(0)
})

test('the draft of each chat survives a reload, and goes when it is sent', async ({
  chat,
  chatList,
}) => {
  await chat.open()
  await chat.ask('/echo a chat')
  await chat.composer.fill('draft in the chat')
  await chatList.newChatButton.click()
  await chat.composer.fill('/echo draft of a new chat')
  await chat.page.reload()
  await expect(chat.composer).toHaveValue('/echo draft of a new chat')
  await chatList.row('/echo a chat').click()
  await expect(chat.composer).toHaveValue('draft in the chat')
  await chatList.newChatButton.click()
  await expect(chat.composer).toHaveValue('/echo draft of a new chat')
  await chat.composer.press('Enter')
  await expect(chat.answers.last()).toContainText('draft of a new chat')
  await chatList.newChatButton.click()
  await expect(chat.composer).toHaveValue('')
})

test('a suggestion fills the box and waits for more', async ({ chat }) => {
  await chat.open()
  await chat.page
    .getByRole('list', { name: 'Suggestions' })
    .getByRole('button', { name: 'Make a plan' })
    .click()
  await expect(chat.composer).toHaveValue(/^Make a plan with dates/)
  await expect(chat.composer).toBeFocused()
  await expect(chat.userMessages).toHaveCount(0)
})
