import { ADMIN, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { WorkspacePage } from '../pages/workspace-page.ts'

test('a slash opens the prompt library, the gaps are asked for, and the text stands in the message box', async ({
  chat,
}) => {
  const workspace = new WorkspacePage(chat.page, chat.url)
  await workspace.open('prompts')
  const content =
    'A {{tone | select:options=["short","long"]}} letter to {{recipient}} by {{USER_NAME}}:'
  await workspace.writePrompt({ name: 'Formal letter', content })
  await expect(workspace.row('Formal letter')).toContainText('/formal-letter')
  await chat.open()
  await chat.composer.fill('Please: ')
  await chat.composer.press('End')
  await chat.composer.pressSequentially('/formal')
  await expect(chat.page.getByRole('option', { name: 'Formal letter' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expectAccessible(chat.page)
  await chat.composer.press('Enter')
  await workspace.dialog.getByLabel('tone').selectOption('long')
  await workspace.dialog.getByLabel('recipient').fill('Ada')
  await workspace.dialog.getByLabel('recipient').press('Enter')
  await expect(chat.composer).toHaveValue('Please: A long letter to Ada by Grace Tester:')
  await expect(chat.composer).toBeFocused()
})

test('Escape leaves a slash a slash', async ({ chat }) => {
  const workspace = new WorkspacePage(chat.page, chat.url)
  await workspace.open('prompts')
  await workspace.writePrompt({ name: 'Escapable', content: 'never inserted' })
  await chat.open()
  await chat.composer.fill('')
  await chat.composer.pressSequentially('/escapable')
  await chat.page.getByRole('listbox').waitFor()
  await chat.composer.press('Escape')
  await expect(chat.page.getByRole('listbox')).toHaveCount(0)
  await expect(chat.composer).toHaveValue('/escapable')
})

test('what was copied is put into a prompt only after a click', async ({ chat, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const workspace = new WorkspacePage(chat.page, chat.url)
  await workspace.open('prompts')
  await workspace.writePrompt({ name: 'Translate copied', content: 'Translate: {{CLIPBOARD}}' })
  await chat.open()
  await chat.page.evaluate(() => navigator.clipboard.writeText('guten Tag'))
  await chat.composer.fill('')
  await chat.composer.pressSequentially('/translate-copied')
  await chat.page.getByRole('option').first().waitFor()
  await chat.composer.press('Enter')
  await expect(workspace.dialog.getByLabel('Clipboard text')).toHaveValue('')
  await workspace.dialog.getByRole('button', { name: 'Insert from clipboard' }).click()
  await expect(workspace.dialog.getByLabel('Clipboard text')).toHaveValue('guten Tag')
  await workspace.dialog.getByRole('button', { name: 'Insert', exact: true }).click()
  await expect(chat.composer).toHaveValue('Translate: guten Tag')
})

test('every save of a prompt is a version that can be compared and used again', async ({
  chat,
}) => {
  const workspace = new WorkspacePage(chat.page, chat.url)
  await workspace.open('prompts')
  await workspace.writePrompt({ name: 'Versioned', content: 'first text' })
  await workspace.choose('Versioned', 'Edit')
  await workspace.text.fill('second text')
  await workspace.dialog.getByLabel('What changed').fill('Said it better')
  await workspace.save()
  await workspace.dialog.waitFor({ state: 'detached' })
  await workspace.choose('Versioned', 'Versions')
  await expect(workspace.dialog.getByRole('button', { name: /Said it better/ })).toContainText(
    'current',
  )
  await workspace.dialog.getByRole('button', { name: /No note/ }).click()
  await expect(workspace.dialog.getByRole('region')).toContainText('first text')
  await expect(workspace.dialog.getByRole('region')).toContainText('second text')
  await expectAccessible(chat.page)
  await workspace.dialog.getByRole('button', { name: 'Use this version' }).click()
  await expect(workspace.dialog.getByRole('button', { name: /No note/ })).toContainText('current')
  await chat.page.keyboard.press('Escape')
  await expect(workspace.row('Versioned')).toContainText('first text')
})

test('of a prompt that two windows edit no text is lost without a word', async ({ chat }) => {
  const workspace = new WorkspacePage(chat.page, chat.url)
  await workspace.open('prompts')
  await workspace.writePrompt({ name: 'Written together', content: 'first text' })
  const other = new WorkspacePage(await chat.page.context().newPage(), chat.url)
  await other.open('prompts')
  const write = async (window: WorkspacePage, text: string): Promise<void> => {
    await window.choose('Written together', 'Edit')
    await window.text.fill(text)
    await window.save()
  }
  await write(other, 'of the other window')
  await other.dialog.waitFor({ state: 'detached' })
  await write(workspace, 'of this window')
  const question = chat.page.getByRole('dialog', { name: 'A newer version was saved elsewhere' })
  await expect(question).toContainText('of the other window')
  await expectAccessible(chat.page)
  await question.getByRole('button', { name: 'Back to my text' }).click()
  await expect(workspace.text).toHaveValue('of this window')
  await workspace.save()
  await question.getByRole('button', { name: 'Replace it with mine' }).click()
  await workspace.dialog.waitFor({ state: 'detached' })
  await expect(workspace.row('Written together')).toContainText('of this window')
  await write(other, 'too late')
  await other.page.getByRole('button', { name: 'Discard mine' }).click()
  await other.dialog.waitFor({ state: 'detached' })
  await expect(other.row('Written together')).toContainText('of this window')
  await other.page.close()
})

test('a deleted prompt comes back with Undo, and a search narrows the list', async ({ chat }) => {
  const workspace = new WorkspacePage(chat.page, chat.url)
  await workspace.open('prompts')
  await workspace.writePrompt({ name: 'Dispensable', content: 'something' })
  await workspace.choose('Dispensable', 'Delete')
  await expect(workspace.row('Dispensable')).toHaveCount(0)
  await workspace.undo()
  await expect(workspace.row('Dispensable')).toBeVisible()
  await chat.page.getByRole('searchbox', { name: 'Search prompts' }).fill('dispens')
  await expect(workspace.row('Dispensable')).toHaveCount(1)
  await chat.page.getByRole('searchbox', { name: 'Search prompts' }).fill('no such prompt')
  await expect(chat.page.getByText('No prompts match.')).toBeVisible()
})

test('an empty page of prompts begins with an example that works as it is', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const chat = new ChatPage(page, gateway.url)
  const workspace = new WorkspacePage(page, gateway.url)
  await workspace.open('prompts')
  await chat.page.getByRole('button', { name: 'Start from an example' }).click()
  await expect(workspace.dialog.getByLabel('Name')).toHaveValue('Summary')
  await workspace.save()
  await expect(workspace.row('Summary')).toContainText('/summary')
  await chat.open()
  await chat.composer.pressSequentially('/summ')
  await chat.page.getByRole('option', { name: 'Summary' }).waitFor()
  await chat.composer.press('Enter')
  await workspace.dialog.getByLabel('text').fill('The pier is open.')
  await workspace.dialog.getByRole('button', { name: 'Insert', exact: true }).click()
  await expect(chat.composer).toHaveValue(/three sentences[^]*The pier is open\./)
})
