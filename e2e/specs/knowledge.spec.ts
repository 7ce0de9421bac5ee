import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { KnowledgePage } from '../pages/knowledge-page.ts'
import { VIEWS } from '../views.ts'

const pump = {
  name: 'pump.md',
  mimeType: 'text/markdown',
  content:
    '# Pump\n\n## Cleaning\n\nRinse the pump with warm water after every use. Never use bleach.\n\n## Storage\n\nKeep it dry.',
}
const oven = {
  name: 'oven.txt',
  mimeType: 'text/plain',
  content: 'The oven needs forty minutes to heat.',
}
const broken = {
  name: 'broken.pdf',
  mimeType: 'application/pdf',
  content: '%PDF-1.7 and nothing else',
}

/** Creates a folder on this computer for the duration of a test. */
function makeFolder(files: Readonly<Record<string, string>>): {
  folder: string
  remove: () => void
} {
  const parent = mkdtempSync(path.join(tmpdir(), 'knowledge-'))
  const folder = path.join(parent, 'manuals')
  for (const [name, content] of Object.entries(files)) {
    const place = path.join(folder, name)
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, content)
  }
  return { folder, remove: () => rmSync(parent, { recursive: true }) }
}

test('a collection is made, filled, asked and its passages are scored', async ({ chat }) => {
  const knowledge = new KnowledgePage(chat.page, chat.url)
  await knowledge.create('Manuals')
  await expect(chat.page.getByText('No files yet')).toBeVisible()
  await knowledge.add(pump, oven)
  await expect(knowledge.row('pump.md')).toBeVisible()
  await expect(knowledge.row('oven.txt')).toBeVisible()
  await expect(knowledge.uploads).toHaveCount(0)
  await knowledge.ask('How is the pump cleaned?')
  await expect(knowledge.passages.first()).toContainText('warm water')
  await expect(knowledge.passages.first()).toContainText('Cleaning')
  await expect(knowledge.passages.first().getByText('Relevance', { exact: true })).toBeVisible()
  await expectAccessible(chat.page)
  await chat.page.getByRole('link', { name: 'All collections' }).click()
  await expect(knowledge.collection('Manuals')).toContainText('2 files')
})

test('a file that cannot be read says why and can be tried again; the same content comes in once', async ({
  chat,
}) => {
  const knowledge = new KnowledgePage(chat.page, chat.url)
  await knowledge.create('Twice')
  await knowledge.add(oven, broken)
  await expect(knowledge.row('oven.txt')).toBeVisible()
  await expect(
    knowledge.uploads.getByRole('listitem').filter({ hasText: 'broken.pdf' }),
  ).toContainText('Failed')
  await expect(chat.page.getByRole('main').getByText('1 not added', { exact: true })).toBeVisible()
  await expect(
    knowledge.uploads.getByRole('button', { name: 'Try again: “broken.pdf”' }),
  ).toBeVisible()
  await expectAccessible(chat.page)
  await knowledge.uploads.getByRole('button', { name: 'Remove “broken.pdf” from the list' }).click()
  await knowledge.add({ ...oven, name: 'copy.txt' })
  await expect(knowledge.uploads).toContainText('Not added')
  await expect(knowledge.uploads).toContainText('same content')
  await expect(knowledge.files.getByRole('listitem')).toHaveCount(1)
})

test('files dropped on a collection come in', async ({ chat }) => {
  const knowledge = new KnowledgePage(chat.page, chat.url)
  await knowledge.create('Dropped')
  await knowledge.drop(pump, oven)
  await expect(knowledge.row('pump.md')).toBeVisible()
  await expect(knowledge.row('oven.txt')).toBeVisible()
  await expect(knowledge.uploads).toHaveCount(0)
})

test('a folder comes in with its directories, which can be renamed, moved and deleted', async ({
  chat,
}) => {
  const { folder, remove } = makeFolder({
    'start.md': '# Start\n\nBegin here.',
    'pumps/one.md': 'The first pump hums.',
    '.git/x': 'left out',
  })
  try {
    const knowledge = new KnowledgePage(chat.page, chat.url)
    await knowledge.create('Folder')
    await chat.page.getByTestId('knowledge-folder').setInputFiles(folder)
    await expect(knowledge.uploads).toHaveCount(0)
    await expect(knowledge.row('manuals')).toContainText('2 files')
    await knowledge.row('manuals').getByRole('button', { name: 'manuals', exact: true }).click()
    await expect(knowledge.row('start.md')).toBeVisible()
    await expect(knowledge.row('pumps')).toContainText('1 file')
    await knowledge.act('pumps', 'Rename')
    await knowledge.dialog.getByLabel('Name').fill('engines')
    await knowledge.dialog.getByRole('button', { name: 'Save' }).click()
    await knowledge.act('start.md', 'Move to…')
    await knowledge.dialog.getByRole('radio', { name: 'engines' }).check()
    await knowledge.dialog.getByRole('button', { name: 'Move here' }).click()
    await expect(knowledge.row('engines')).toContainText('2 files')
    await expectAccessible(chat.page)
    await knowledge.act('engines', 'Delete folder')
    await knowledge.dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(knowledge.row('one.md')).toBeVisible()
    await chat.page
      .getByRole('navigation', { name: 'Folder' })
      .getByRole('button', { name: 'Folder' })
      .click()
    await chat.page.getByRole('searchbox', { name: 'Search files' }).fill('one')
    await expect(knowledge.row('one.md')).toContainText('in manuals')
  } finally {
    remove()
  }
})

test('a folder is compared first, and only then brought in line', async ({ chat }) => {
  const { folder, remove } = makeFolder({ 'a.md': 'First text.', 'b.md': 'Second text.' })
  try {
    const knowledge = new KnowledgePage(chat.page, chat.url)
    await knowledge.create('In line')
    await knowledge.choose('Compare with a local folder…')
    await chat.page.getByTestId('sync-folder').setInputFiles(folder)
    await expect(knowledge.dialog.getByRole('region', { name: 'New' })).toContainText('a.md')
    await expectAccessible(chat.page)
    await knowledge.dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(knowledge.row('b.md')).toBeVisible()
    writeFileSync(path.join(folder, 'a.md'), 'First text, changed.')
    writeFileSync(path.join(folder, 'c.md'), 'Third text.')
    rmSync(path.join(folder, 'b.md'))
    await knowledge.choose('Compare with a local folder…')
    await chat.page.getByTestId('sync-folder').setInputFiles(folder)
    await expect(knowledge.dialog.getByRole('region', { name: 'Changed' })).toContainText('a.md')
    await expect(
      knowledge.dialog.getByRole('region', { name: 'No longer in the folder' }),
    ).toContainText('b.md')
    await knowledge.dialog.getByRole('switch').click()
    await knowledge.dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(knowledge.row('c.md')).toBeVisible()
    await expect(knowledge.row('a.md')).toBeVisible()
    await expect(knowledge.row('b.md')).toHaveCount(0)
    await knowledge.ask('First text changed')
    await expect(knowledge.passages.first()).toContainText('changed')
  } finally {
    remove()
  }
})

test('texts and earlier files are added; a file is taken out and put back', async ({ chat }) => {
  const knowledge = new KnowledgePage(chat.page, chat.url)
  await knowledge.create('Mixed')
  await knowledge.choose('Text…')
  await knowledge.dialog.getByLabel('Name').fill('House rules')
  await knowledge.dialog.getByRole('textbox', { name: 'Text' }).fill('Quiet after ten.')
  await expectAccessible(chat.page)
  await knowledge.dialog.getByRole('button', { name: 'Add' }).click()
  await expect(knowledge.row('House rules.md')).toBeVisible()
  await knowledge.act('House rules.md', 'Remove')
  await expect(knowledge.row('House rules.md')).toHaveCount(0)
  await knowledge.undo()
  await expect(knowledge.row('House rules.md')).toBeVisible()
  await knowledge.act('House rules.md', 'Remove')
  await expect(knowledge.row('House rules.md')).toHaveCount(0)
  await knowledge.choose('Existing files…')
  await knowledge.dialog.getByRole('checkbox', { name: 'House rules.md' }).check()
  await expectAccessible(chat.page)
  await knowledge.dialog.getByRole('button', { name: 'Add 1 file' }).click()
  await expect(knowledge.row('House rules.md')).toBeVisible()
  await knowledge.choose('Web page…')
  await knowledge.dialog.getByLabel('Address').fill('http://127.0.0.1:9/')
  await knowledge.dialog.getByRole('button', { name: 'Add' }).click()
  await expect(knowledge.dialog.getByRole('alert')).toContainText(
    /not public|network|refused|allowed/i,
  )
})

test('a collection is renamed, opened to everybody, emptied and deleted', async ({ chat }) => {
  const knowledge = new KnowledgePage(chat.page, chat.url)
  await knowledge.create('Old name')
  await knowledge.add(oven)
  await expect(knowledge.row('oven.txt')).toBeVisible()
  await knowledge.tab('Name and access')
  await chat.page.getByLabel('Name', { exact: true }).fill('New name')
  await chat.page.getByRole('switch', { name: 'Everyone signed in' }).click()
  await expectAccessible(chat.page)
  await chat.page.getByRole('button', { name: 'Save' }).click()
  await expect(knowledge.heading).toHaveText('New name')
  await knowledge.tab('Files')
  await knowledge.actOnAll('Index again')
  await expect(chat.page.getByText('being indexed again').first()).toBeVisible()
  await knowledge.actOnAll('Remove all files')
  await knowledge.dialog.getByRole('button', { name: 'Remove all files' }).click()
  await expect(chat.page.getByText('No files yet')).toBeVisible()
  await knowledge.actOnAll('Delete collection')
  await expect(knowledge.dialog).toContainText(
    'It is not used by any model or by any of your folders.',
  )
  await expectAccessible(chat.page)
  await knowledge.dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(chat.page).toHaveURL(/\/workspace\/knowledge$/)
  await expect(knowledge.collection('New name')).toHaveCount(0)
})

for (const view of VIEWS) {
  test.describe(`in ${view.name}`, () => {
    test.use({ viewport: { width: view.width, height: 800 } })

    test('the list and the pages of a collection have no accessibility fault', async ({ chat }) => {
      const knowledge = new KnowledgePage(chat.page, chat.url)
      await knowledge.create(
        'A collection with a name that is long enough to need more than one line on a narrow window',
      )
      await expectAccessible(chat.page, view.schemes)
      await knowledge.add(pump, { ...oven, name: `${'very-long-name-'.repeat(12)}.txt` })
      await expect(knowledge.files.getByRole('listitem')).toHaveCount(2)
      await expectAccessible(chat.page, view.schemes)
      await knowledge.ask('pump')
      await expect(knowledge.passages.first()).toBeVisible()
      await expectAccessible(chat.page, view.schemes)
      await knowledge.open()
      await expectAccessible(chat.page, view.schemes)
      expect(
        await chat.page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
      ).toBe(false)
    })
  })
}

test('a model brings a collection along, and deleting the collection tells of the model and of folders', async ({
  chat,
}) => {
  const knowledge = new KnowledgePage(chat.page, chat.url)
  await knowledge.create('Brought along')
  await knowledge.add(oven)
  await expect(knowledge.row('oven.txt')).toBeVisible()
  const files = [
    {
      type: 'collection',
      id: new URL(chat.page.url()).searchParams.get('id'),
      name: 'Brought along',
    },
  ]
  await chat.page.request.post(`${chat.url}/api/v1/folders/`, {
    data: { name: 'Baking', data: { files } },
  })
  await chat.page.goto(`${chat.url}/workspace/models?id=`)
  const id = `baker-${Date.now()}`
  await chat.page.getByLabel('Name', { exact: true }).fill(id)
  await chat.page.getByLabel('Base model').selectOption({ index: 1 })
  await chat.page.getByRole('button', { name: 'Add knowledge' }).click()
  await chat.page.getByRole('dialog').getByRole('searchbox').fill('Brought')
  await chat.page.getByRole('dialog').getByRole('button', { name: 'Brought along' }).click()
  await expect(chat.page.getByRole('list', { name: 'Knowledge' })).toContainText('Brought along')
  await expectAccessible(chat.page)
  await chat.page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(chat.page).toHaveURL(new RegExp(id))
  await knowledge.open()
  await knowledge.act('Brought along', 'Delete')
  await expect(knowledge.dialog).toContainText(
    `These models use it and will answer without it: ${id}.`,
  )
  await expect(knowledge.dialog).toContainText('1 folder uses it too.')
})
