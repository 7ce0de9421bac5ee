import { readFile } from 'node:fs/promises'
import { zipSync } from 'fflate'
import { createChat, send } from '../chat-api.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { DataPage } from '../pages/data-page.ts'

interface Node {
  readonly parent: string
  readonly children: readonly string[]
  readonly role: string
  readonly text: string
}

const node = (id: string, { parent, children, role, text }: Node) => ({
  id,
  parent,
  children,
  message: {
    id,
    author: { role },
    create_time: 1_700_000_000,
    content: { content_type: 'text', parts: [text] },
    metadata: {},
  },
})

/**
 * Returns a conversation as the export of another service contains it, with the answer requested
 * twice.
 */
const conversation = (id: string, title: string, answers: readonly string[]) => {
  const ids = answers.map((_, index) => `${id}-a${index}`)
  const answer = (answerId: string, text: string) =>
    node(answerId, { parent: `${id}-q`, children: [], role: 'assistant', text })
  return {
    id,
    title,
    create_time: 1_700_000_000,
    update_time: 1_700_000_100,
    current_node: ids.at(-1),
    mapping: {
      root: { id: 'root', message: null, parent: null, children: [`${id}-q`] },
      [`${id}-q`]: node(`${id}-q`, {
        parent: 'root',
        children: ids,
        role: 'user',
        text: `What about ${title}?`,
      }),
      ...Object.fromEntries(answers.map((text, index) => [ids[index], answer(ids[index]!, text)])),
    },
  }
}

const zipOf = (conversations: unknown): Buffer =>
  Buffer.from(
    zipSync({ 'conversations.json': new TextEncoder().encode(JSON.stringify(conversations)) }),
  )

test('chats of another service are looked at, chosen and imported; a second time nothing is new', async ({
  chat,
  chatList,
  settings,
}) => {
  const archive = zipOf([
    conversation('one', 'Gardens', ['Green.', 'Blooming.']),
    conversation('two', 'Trains', ['Late.']),
  ])
  await settings.open('data')
  const data = new DataPage(chat.page)
  await data.read('export.zip', archive)
  await expect(data.contents.getByRole('listitem')).toHaveCount(2)
  await expect(data.contents.getByRole('listitem').filter({ hasText: 'Gardens' })).toContainText(
    '2 branches',
  )
  await expectAccessible(chat.page)
  await data.contents.getByRole('checkbox', { name: /Trains/ }).uncheck()
  await data.runButton.click()
  await expect(chat.page.getByText('Import finished')).toBeVisible()
  await expect(chat.page.getByText('1 new chat', { exact: true })).toBeVisible()

  await chat.page.getByRole('button', { name: 'Import another file' }).click()
  await data.read('export.zip', archive)
  await expect(data.filter('Already imported')).toHaveText('Already imported 1')
  await data.filter('New').click()
  await expect(data.contents.getByRole('listitem')).toHaveCount(1)
  await data.runButton.click()
  await expect(chat.page.getByText('1 new chat', { exact: true })).toBeVisible()
  await settings.backLink.click()
  await expect(chatList.rows).toHaveCount(2)
  await chatList.row('Gardens').click()
  await expect(chat.answers.last()).toContainText('Blooming.')
  await expect(chat.versions(chat.answers.last())).toBeVisible()
})

test('what an import brought is moved to the trash again in one step', async ({
  chat,
  chatList,
  settings,
}) => {
  await createChat(chat.page.request, chat.url, 'Own')
  await settings.open('data')
  const data = new DataPage(chat.page)
  await data.read(
    'export.zip',
    zipOf([conversation('one', 'Gardens', ['Green.']), conversation('two', 'Trains', ['Late.'])]),
  )
  await data.runButton.click()
  await chat.page.getByRole('button', { name: 'Undo: move 2 new chats to the trash' }).click()
  await expect(settings.note('2 chats were moved to the trash.')).toBeVisible()
  await settings.backLink.click()
  await expect(chatList.rows).toHaveText(['Own'])
})

test('a file that is no export is refused in words, and another can be chosen', async ({
  chat,
  settings,
}) => {
  await settings.open('data')
  const data = new DataPage(chat.page)
  await data.read('holiday.json', '{"not": "an export"}')
  await expect(chat.page.getByRole('alert').filter({ hasText: /\w/ })).toBeVisible()
  await expect(chat.page.getByRole('button', { name: 'Choose file' })).toBeVisible()
})

test('everything is exported, deleted with a typed word, and imported again with its folder', async ({
  chat,
  chatList,
  settings,
}) => {
  const { request } = chat.page
  const folder = await send(request, `${chat.url}/api/v1/folders/`, { name: 'House' })
  await createChat(request, chat.url, 'Roses', {
    folderId: folder.id,
    question: 'How?',
    answer: 'Water them.',
  })
  await createChat(request, chat.url, 'Trains')
  await settings.open('data')
  const data = new DataPage(chat.page)
  const [file] = await Promise.all([
    chat.page.waitForEvent('download'),
    chat.page.getByRole('button', { name: 'Export everything' }).click(),
  ])
  await chat.page.getByRole('button', { name: 'Delete all chats' }).click()
  await expect(data.dialog.getByRole('button', { name: 'Delete all chats' })).toBeDisabled()
  await expectAccessible(chat.page)
  await data.dialog.getByRole('textbox').fill('delete')
  await data.dialog.getByRole('button', { name: 'Delete all chats' }).click()
  await expect(settings.note('2 chats were moved to the trash.')).toBeVisible()
  await data.read('archive.json', await readFile((await file.path())!))
  await data.runButton.click()
  await expect(chat.page.getByText('Import finished')).toBeVisible()
  await settings.backLink.click()
  await expect(chatList.row('Trains')).toBeVisible()
  await chatList.list.getByRole('button', { name: /^House/ }).click()
  await expect(chatList.row('Roses')).toBeVisible()
})

test('deleting all chats is taken back', async ({ chat, chatList, settings }) => {
  for (const title of ['One', 'Two']) await createChat(chat.page.request, chat.url, title)
  await settings.open('data')
  const data = new DataPage(chat.page)
  await chat.page.getByRole('button', { name: 'Delete all chats' }).click()
  await data.dialog.getByRole('textbox').fill('Delete')
  await chat.page.keyboard.press('Enter')
  await chat.page.getByRole('button', { name: 'Undo' }).click()
  await settings.backLink.click()
  await expect(chatList.rows).toHaveCount(2)
})
