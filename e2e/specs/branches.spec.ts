import { expect, test } from '../fixtures.ts'

test('another answer stands beside the first one, and arrows lead from one to the other', async ({
  chat,
  upstream,
}) => {
  await chat.open()
  await chat.ask('/echo something')
  const requests = upstream.requests.length
  await chat.regenerate(chat.answers.last())
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
  expect(upstream.requests.length).toBeGreaterThan(requests)
  await chat.showPreviousVersion(chat.answers.last())
  await expect(chat.versions(chat.answers.last())).toContainText('Version 1 of 2')
  await chat.page.reload()
  await expect(chat.versions(chat.answers.last())).toContainText('Version 1 of 2')
  await chat.showNextVersion(chat.answers.last())
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
  await expect(chat.userMessages).toHaveCount(1)
})

test('the arrow keys switch versions while the focus is on an arrow', async ({ chat }) => {
  await chat.open()
  await chat.ask('/echo something')
  await chat.regenerate(chat.answers.last())
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
  await chat.answers.last().getByRole('button', { name: 'Previous version' }).focus()
  await chat.page.keyboard.press('ArrowLeft')
  await expect(chat.versions(chat.answers.last())).toContainText('Version 1 of 2')
  await expect(chat.answers.last().getByRole('button', { name: 'Previous version' })).toBeFocused()
  await chat.page.keyboard.press('ArrowRight')
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
})

test('editing a message makes a branch of its own and nothing is overwritten', async ({ chat }) => {
  await chat.open()
  await chat.ask('/echo first version')
  await chat.ask('/echo what follows')
  await chat.edit(chat.userMessages.first(), '/echo second version')
  await expect(chat.answers).toHaveText([/second version/])
  await chat.finished()
  await expect(chat.userMessages).toHaveCount(1)
  await expect(chat.versions(chat.userMessages.first())).toContainText('Version 2 of 2')
  await chat.showPreviousVersion(chat.userMessages.first())
  await expect(chat.answers).toHaveText([/first version/, /what follows/])
})

test('in a small window the editor comes into view with its buttons', async ({ chat }) => {
  await chat.page.setViewportSize({ width: 360, height: 740 })
  await chat.open()
  await chat.ask('/long 150')
  await chat.ask('/echo the last one')
  await chat.startEditing(chat.userMessages.last())
  await expect(chat.conversation.getByRole('button', { name: 'Send', exact: true })).toBeInViewport(
    { ratio: 1 },
  )
})

test('Escape leaves a message as it was', async ({ chat }) => {
  await chat.open()
  await chat.ask('/echo as it is')
  const editor = await chat.startEditing(chat.userMessages.first())
  await editor.fill('changed my mind')
  await editor.press('Escape')
  await expect(editor).toHaveCount(0)
  await expect(chat.userMessages).toHaveText([/as it is/])
})

test('deleting a version leaves the other one, and says before how much goes', async ({ chat }) => {
  await chat.open()
  await chat.ask('/echo first version')
  await chat.edit(chat.userMessages.first(), '/echo second version')
  await expect(chat.answers).toHaveText([/second version/])
  await chat.finished()
  const question = await chat.startDeleting(chat.userMessages.first())
  await expect(question).toContainText('2 messages will be deleted')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(chat.answers).toHaveText([/second version/])
  const again = await chat.startDeleting(chat.userMessages.first())
  await again.getByRole('button', { name: 'Delete' }).click()
  await expect(chat.answers).toHaveText([/first version/])
  await expect(chat.versions(chat.userMessages.first())).toHaveCount(0)
  await chat.page.reload()
  await expect(chat.answers).toHaveText([/first version/])
})

test('deleting the last answer leaves the question, which can be answered anew', async ({
  chat,
}) => {
  await chat.open()
  await chat.ask('/echo to be deleted')
  const question = await chat.startDeleting(chat.answers.last())
  await expect(question).toContainText('This message will be deleted.')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(chat.answers).toHaveCount(0)
  await expect(chat.userMessages).toHaveText([/to be deleted/])
  await chat.edit(chat.userMessages.first(), '/echo in its place')
  await expect(chat.answers).toHaveText([/in its place/])
})

test('an answer in the middle can be given again without losing what followed', async ({
  chat,
}) => {
  await chat.open()
  await chat.ask('/echo one')
  await chat.ask('/echo two')
  await chat.answers.first().hover()
  await chat.regenerate(chat.answers.first())
  await expect(chat.answers).toHaveCount(1)
  await chat.finished()
  await chat.showPreviousVersion(chat.answers.first())
  await expect(chat.answers).toHaveText([/one/, /two/])
})

test('another model can give the other answer', async ({ chat }) => {
  await chat.open()
  await chat.ask('/echo something')
  await chat.chooseModel('reasoning')
  await chat.answers.last().getByRole('button', { name: 'Regenerate with reasoning' }).click()
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
  await expect(chat.answers.last().getByRole('heading', { level: 2 })).toContainText('reasoning')
})
