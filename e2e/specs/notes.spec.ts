import { BOTH_SCHEMES, expectAccessible, redrawn } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { WORKSPACE_AREAS, WorkspacePage } from '../pages/workspace-page.ts'

test('a note is saved as it is typed, drawn, pinned, found, deleted and brought back', async ({
  chat,
}) => {
  const workspace = new WorkspacePage(chat.page, chat.url)
  await workspace.open('notes')
  await chat.page.getByRole('button', { name: 'New note' }).click()
  await workspace.noteTitle.fill('Garden')
  await workspace.noteText.fill('Plant **roses** in autumn')
  await expect(chat.page.getByText('Saved', { exact: true })).toBeVisible()
  await chat.page.getByRole('button', { name: 'Preview' }).click()
  await expect(
    chat.page.getByRole('main').locator('strong, [data-streamdown="strong"]'),
  ).toHaveText('roses')
  await chat.page.reload()
  await expect(workspace.noteText).toHaveValue('Plant **roses** in autumn')
  await chat.page.getByRole('button', { name: 'Note actions' }).click()
  await chat.page.getByRole('menuitem', { name: 'Pin' }).click()
  await chat.page.getByRole('link', { name: 'All notes' }).click()
  await expect(workspace.row('Garden')).toContainText('pinned')
  await chat.page.getByRole('searchbox', { name: 'Search notes' }).fill('roses')
  await workspace.row('Garden').getByRole('link').click()
  await chat.page.getByRole('button', { name: 'Note actions' }).click()
  await chat.page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(workspace.row('Garden')).toHaveCount(0)
  await workspace.undo()
  await expect(workspace.row('Garden')).toBeVisible()
})

test('what is typed right before leaving a note is kept', async ({ chat }) => {
  const workspace = new WorkspacePage(chat.page, chat.url)
  await workspace.open('notes')
  await chat.page.getByRole('button', { name: 'New note' }).click()
  await workspace.noteTitle.fill('In a hurry')
  await chat.page.getByRole('link', { name: 'All notes' }).click()
  await expect(workspace.row('In a hurry')).toBeVisible()
})

test('memories are added, changed, told to models until that is switched off, and deleted', async ({
  chat,
  upstream,
}) => {
  const { page } = chat
  await page.goto(`${chat.url}/settings/memories`)
  await page.getByLabel('New memory').fill('My dog is called Bello')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Bello' })).toContainText(
    'Added by you',
  )
  await chat.open()
  await chat.ask('/echo what is my dog called')
  expect(
    upstream.requests.find(({ text }) => text.includes('what is my dog called'))?.text,
  ).toContain('Bello')
  await page.goto(`${chat.url}/settings/memories`)
  await page.getByRole('switch', { name: 'Let models use my memories' }).click()
  await page.getByRole('link', { name: 'Back to chats' }).click()
  await chat.ask('/echo is it a big dog')
  expect(
    upstream.requests.find(({ text }) => text.includes('is it a big dog'))?.text,
  ).not.toContain('Bello')
  await page.goto(`${chat.url}/settings/memories`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
  await expect(page.getByText('No memories yet')).toBeVisible()
})

test('the workspace and its editors have no accessibility fault, wide and narrow', async ({
  chat,
}) => {
  // Many pages, with a whole analysis of each.
  test.setTimeout(120_000)
  const { page } = chat
  const workspace = new WorkspacePage(page, chat.url)
  const expectNoFault = async () => {
    for (const [width, schemes] of [[360, ['light']] as const, [1280, BOTH_SCHEMES] as const]) {
      await page.setViewportSize({ width, height: 800 })
      await redrawn(page)
      await expectAccessible(page, schemes)
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(
        false,
      )
    }
  }
  for (const area of WORKSPACE_AREAS) {
    await workspace.open(area)
    await expect(page.getByText('Loading')).toHaveCount(0)
    await expectNoFault()
  }
  await page.goto(`${chat.url}/workspace/models?id=text`)
  await page.getByRole('textbox', { name: 'Instructions' }).waitFor()
  await expectNoFault()
  await workspace.open('prompts')
  await page.getByRole('button', { name: 'New prompt' }).click()
  await expectAccessible(page, BOTH_SCHEMES)
})
