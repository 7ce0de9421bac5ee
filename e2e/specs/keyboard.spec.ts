import { expect, test } from '../fixtures.ts'
import { PalettePage } from '../pages/palette-page.ts'

test.use({ reducedMotion: 'no-preference' })

test('a conversation is held with the keyboard alone', async ({ chat }) => {
  await chat.open()
  await chat.page.keyboard.press('Control+l')
  await expect(chat.composer).toBeFocused()
  await chat.page.keyboard.type('/echo keys only')
  await chat.page.keyboard.press('Enter')
  await chat.finished()
  await expect(chat.composer).toBeFocused()
  await chat.page.keyboard.press('Shift+Tab')
  await expect(chat.answers.last().getByRole('button').last()).toBeFocused()
})

test('skip links lead to messages, composer and list', async ({ chat, chatList }) => {
  await chat.open()
  await chat.ask('/echo something')
  const skip = async (name: string): Promise<void> => {
    await chat.page.getByRole('button', { name }).focus()
    await expect(chat.page.getByRole('button', { name })).toBeInViewport()
    await chat.page.keyboard.press('Enter')
  }
  await skip('Skip to messages')
  await expect(chat.conversation).toBeFocused()
  await skip('Skip to the message box')
  await expect(chat.composer).toBeFocused()
  await skip('Skip to the chat list')
  await expect(chatList.list).toBeFocused()
})

test('Ctrl+N begins a new chat, and brackets go to the neighbours', async ({ chat, chatList }) => {
  await chat.open()
  await chat.ask('/echo older')
  const older = chat.path()
  await chat.page.keyboard.press('Control+n')
  await expect(chat.answers).toHaveCount(0)
  await expect(chat.composer).toBeFocused()
  await chat.ask('/echo newer')
  const newer = chat.path()
  await expect(chatList.rows).toHaveText(['/echo newer', '/echo older'])
  await chat.page.keyboard.press('Control+Shift+BracketRight')
  await expect(chat.answers).toHaveText([/older/])
  expect(chat.path()).toBe(older)
  await chat.page.keyboard.press('Control+Shift+BracketLeft')
  await expect(chat.answers).toHaveText([/newer/])
  expect(chat.path()).toBe(newer)
})

test('Ctrl+B hides the chat list and Ctrl+Shift+F shows it again for a search', async ({
  chat,
  chatList,
}) => {
  await chat.open()
  await chat.page.keyboard.press('Control+b')
  await expect(chatList.list).toHaveCount(0)
  await chat.page.reload()
  await expect(chat.composer).toBeVisible()
  await expect(chatList.list).toHaveCount(0)
  await chat.page.keyboard.press('Control+Shift+F')
  await expect(chatList.searchBox).toBeFocused()
})

test('Ctrl+Shift+L switches light and dark', async ({ chat }) => {
  await chat.open()
  const root = chat.page.locator('html')
  await expect(root).toHaveAttribute('data-theme', 'light')
  await chat.page.keyboard.press('Control+Shift+L')
  await expect(root).toHaveAttribute('data-theme', 'dark')
  await chat.page.keyboard.press('Control+Shift+L')
  await expect(root).toHaveAttribute('data-theme', 'light')
})

test('Ctrl+. stops an answer, Ctrl+Shift+R asks again, Ctrl+Shift+C copies it', async ({
  chat,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await chat.open()
  await chat.sendWithoutEnd()
  await chat.page.keyboard.press('Control+.')
  await expect(chat.answers.last()).toContainText('Stopped.')
  await chat.page.keyboard.press('Control+Shift+R')
  await expect(chat.stopButton).toBeVisible()
  await chat.hasBegun()
  await chat.page.keyboard.press('Control+.')
  await expect(chat.versions(chat.answers.last())).toContainText('Version 2 of 2')
  await chat.page.keyboard.press('Control+Shift+C')
  await expect.poll(() => chat.page.evaluate(() => navigator.clipboard.readText())).toBe('Waiting')
})

test('Ctrl+Shift+M opens the model picker, Ctrl+, the settings, Ctrl+/ the list of shortcuts', async ({
  chat,
  settings,
}) => {
  await chat.open()
  await chat.page.keyboard.press('Control+Shift+M')
  await expect(chat.page.getByRole('combobox', { name: 'Choose a model' })).toBeFocused()
  await chat.page.keyboard.press('Escape')
  await chat.page.keyboard.press('Control+/')
  const shortcuts = chat.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts).toContainText('Switch between light and dark')
  await chat.page.keyboard.press('Escape')
  await expect(shortcuts).toHaveCount(0)
  await chat.page.keyboard.press('Control+,')
  await expect(settings.heading).toHaveText('Account')
})

test.describe('the command palette', () => {
  test('runs commands, and gives the focus back when it is left', async ({ chat }) => {
    const palette = new PalettePage(chat.page)
    await chat.open()
    await chat.composer.focus()
    await palette.open()
    await expect(palette.box).toBeFocused()
    await chat.page.keyboard.press('Escape')
    await expect(palette.dialog).toHaveCount(0)
    await expect(chat.composer).toBeFocused()
    await palette.run('Switch between light and dark')
    await expect(chat.page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })

  test('goes to chats, models and settings', async ({ chat, settings }) => {
    const palette = new PalettePage(chat.page)
    await chat.open()
    await chat.ask('/echo about whales')
    const path = chat.path()
    await palette.run('New chat')
    await expect(chat.answers).toHaveCount(0)
    await palette.run('about whales')
    await expect(chat.answers).toHaveText([/about whales/])
    expect(chat.path()).toBe(path)
    await palette.run('reasoning')
    await expect(chat.modelButton).toHaveAccessibleName('Model: reasoning')
    await palette.run('Connections')
    await expect(settings.heading).toHaveText('Connections')
  })

  test('renames, pins and deletes the chat on the screen', async ({ chat, chatList }) => {
    const palette = new PalettePage(chat.page)
    await chat.open()
    await chat.ask('/echo this chat')
    await chatList.row('/echo this chat').waitFor()
    await palette.run('Rename chat')
    await chatList.titleBox.fill('By keyboard')
    await chatList.titleBox.press('Enter')
    await expect(chatList.row('By keyboard')).toBeVisible()
    await palette.run('Pin or unpin chat')
    await expect(chatList.group('Pinned').getByRole('link')).toHaveText(['By keyboard'])
    await palette.run('Delete chat')
    await expect(chatList.row('By keyboard')).toHaveCount(0)
    await expect(chatList.note('“By keyboard” was moved to the trash.')).toBeVisible()
  })

  test('says when nothing matches', async ({ chat }) => {
    const palette = new PalettePage(chat.page)
    await chat.open()
    await palette.open()
    await chat.page.keyboard.type('qqqq')
    await expect(palette.dialog).toContainText('No matches')
  })
})
