import { SETTINGS_PAGES, WORKSPACE_AREAS } from '../../renderer/lib/router.ts'
import { callAs } from '../accounts.ts'
import { OrganisePage } from '../pages/organise-page.ts'
import { DataPage } from '../pages/data-page.ts'
import { WorkspacePage } from '../pages/workspace-page.ts'
import { expect, shareApp, takePicture, test } from './desktop-app.ts'

test('a chat is shared, read by its link, moved into a folder, exported and imported in the window', async ({
  app,
}) => {
  const { page, chat } = app
  await chat.ask('How do I connect a model?')
  const organise = new OrganisePage(page)
  await organise.createFolder('Set-up')
  await organise.list.getByRole('link').first().press('s')
  await organise.dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await organise.dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  await takePicture(page, 'share-dialog')
  await organise.dialog.getByRole('button', { name: 'Done' }).click()
  await page.goto(link)
  await expect(page.getByRole('article').first()).toBeVisible()
  await takePicture(page, 'share-page')
  await callAs(page)
  const exported = await page.request.get(`${chat.url}/api/v1/chats/all`)
  await page.goto(`${chat.url}/settings/data`)
  const data = new DataPage(page)
  await data.read('chats.json', await exported.text())
  await expect(data.contents.getByRole('listitem')).toHaveCount(1)
  await takePicture(page, 'import-preview')
})

const BLOCK = ['```python', 'import sys', 'print(sys.platform)', '6 * 7', '```'].join('\n')

test.describe('in one window', () => {
  const sharedApp = shareApp()

  /** Opens each page in the window, with a screenshot, and returns the errors. */
  async function openEach(pages: readonly { path: string; picture?: string; live?: boolean }[]) {
    const { page, chat } = sharedApp()
    const failures: string[] = []
    page.on('pageerror', (error) => failures.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') failures.push(message.text())
    })
    for (const { path, picture, live } of pages) {
      await page.goto(`${chat.url}${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (picture === undefined) continue
      if (live !== true) await page.waitForLoadState('networkidle')
      await takePicture(page, picture)
    }
    return failures
  }

  test('every area of the workspace and every list of chats opens by its own link', async () => {
    const areas = WORKSPACE_AREAS.map((area) => ({
      path: `/workspace/${area}`,
      picture: `workspace-${area}`,
    }))
    const lists = ['archived', 'trash', 'shared', 'starred'].map((list) => ({ path: `/${list}` }))
    expect(await openEach([...areas, ...lists])).toEqual([])
  })

  const half = Math.ceil(SETTINGS_PAGES.length / 2)
  for (const [part, names] of [
    ['first', SETTINGS_PAGES.slice(0, half)],
    ['second', SETTINGS_PAGES.slice(half)],
  ] as const) {
    test(`every page of the ${part} half of the settings opens by its own link`, async () => {
      // The request log keeps polling for new entries.
      const pages = names.map((name) => ({
        path: `/settings/${name}`,
        picture: `settings-${name}`,
        live: name === 'requests',
      }))
      expect(await openEach(pages)).toEqual([])
    })
  }

  test('a model is made, a prompt with gaps is filled in and both are used in the window', async () => {
    const { page, chat } = sharedApp()
    const workspace = new WorkspacePage(page, chat.url)
    await workspace.open('models')
    await page.getByRole('button', { name: 'New model' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Short Guide')
    await page.getByLabel('Base model').selectOption({ index: 1 })
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Be brief.')
    await workspace.tryOut('How do I connect a model?')
    await expect(workspace.preview.getByRole('log')).toContainText(/not an AI/i)
    await takePicture(page, 'model-editor')
    await workspace.save()
    await workspace.open('prompts')
    await workspace.writePrompt({
      name: 'Letter',
      content: 'A {{tone | select:options=["short","long"]}} letter to {{recipient}}:',
    })
    await chat.open()
    await chat.chooseModel('Short Guide')
    await chat.composer.pressSequentially('/letter')
    await page.getByRole('option', { name: 'Letter' }).waitFor()
    await chat.composer.press('Enter')
    await workspace.dialog.getByLabel('recipient').fill('Ada')
    await takePicture(page, 'prompt-form')
    await workspace.dialog.getByLabel('recipient').press('Enter')
    await expect(chat.composer).toHaveValue(/letter to Ada:/)
    await chat.composer.press('Enter')
    await expect(chat.answers.last()).toContainText(/\w/)
  })

  test('code of an answer runs in the window', async () => {
    test.setTimeout(180_000)
    const { page, chat } = sharedApp()
    await callAs(page)
    const messages = {
      q: {
        id: 'q',
        role: 'user',
        content: 'How much is it?',
        parentId: null,
        childrenIds: ['a'],
        timestamp: 1,
      },
      a: {
        id: 'a',
        role: 'assistant',
        content: BLOCK,
        parentId: 'q',
        childrenIds: [],
        timestamp: 2,
        done: true,
        model: 'guide',
      },
    }
    const data = { chat: { title: 'Sums', history: { currentId: 'a', messages } } }
    const stored = await page.request.post(`${chat.url}/api/v1/chats/new`, { data })
    const { id } = (await stored.json()) as { id: string }
    await page.goto(`${chat.url}/c/${id}`)
    const block = page.getByRole('figure', { name: 'Code, python' })
    await block.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(block.getByLabel('Result', { exact: true })).toHaveText('42', { timeout: 120_000 })
    await expect(block.getByLabel('Output', { exact: true })).toHaveText('emscripten')
    await takePicture(page, 'code-run')
  })
})
