import { readFileSync } from 'node:fs'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { FilesPage } from '../pages/files-page.ts'
import { VIEWS } from '../views.ts'

const plan = { name: 'plan.txt', mimeType: 'text/plain', content: 'Flour first, then water.' }
const table = { name: 'prices.csv', mimeType: 'text/csv', content: 'what,price\nflour,2\nsalt,1\n' }
const broken = {
  name: 'broken.pdf',
  mimeType: 'application/pdf',
  content: '%PDF-1.7 and nothing else',
}

test('files are uploaded, found by a part of their name or wildcards, looked at and downloaded', async ({
  chat,
}) => {
  const files = new FilesPage(chat.page, chat.url)
  await files.open()
  await expect(chat.page.getByText('No files yet')).toBeVisible()
  await files.add(plan, table)
  await expect(files.row('plan.txt')).toBeVisible()
  await expect(files.row('prices.csv')).toBeVisible()
  await expect(files.list.getByRole('progressbar')).toHaveCount(0)
  await files.search.fill('*.csv')
  await expect(files.row('plan.txt')).toHaveCount(0)
  await expect(files.row('prices.csv')).toBeVisible()
  await files.search.fill('no such name')
  await expect(chat.page.getByText('No files match.')).toBeVisible()
  await files.search.fill('')
  await files.row('plan.txt').getByRole('button', { name: 'plan.txt', exact: true }).click()
  await expect(files.dialog).toContainText('Flour first')
  await expectAccessible(chat.page)
  await chat.page.keyboard.press('Escape')
  const download = chat.page.waitForEvent('download')
  await files.act('plan.txt', 'Download')
  const saved = await download
  expect(saved.suggestedFilename()).toBe('plan.txt')
  expect(readFileSync(await saved.path(), 'utf8')).toBe(plan.content)
})

test('a file says why it was not read, where it is used, and goes for good', async ({ chat }) => {
  const files = new FilesPage(chat.page, chat.url)
  await files.open()
  await files.add(plan, broken)
  await expect(files.row('broken.pdf')).toContainText('damaged')
  const { request } = chat.page
  const made = await request.post(`${chat.url}/api/v1/knowledge/create`, {
    data: { name: 'Bakery' },
  })
  const { id } = (await made.json()) as { id: string }
  const listed = await request.get(`${chat.url}/api/v1/files/search?filename=plan.txt`)
  const [{ id: fileId }] = (await listed.json()) as [{ id: string }]
  await expect(files.row('plan.txt').getByRole('progressbar')).toHaveCount(0)
  expect(
    (
      await request.post(`${chat.url}/api/v1/knowledge/${id}/file/add`, {
        data: { file_id: fileId },
      })
    ).status(),
  ).toBe(200)
  await files.act('plan.txt', 'Where it is used')
  await expect(files.dialog.getByRole('link', { name: 'Bakery' })).toBeVisible()
  await expectAccessible(chat.page)
  await chat.page.keyboard.press('Escape')
  await files.act('plan.txt', 'Rename')
  await files.dialog.getByLabel('Name').fill('recipe.txt')
  await files.dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(files.row('recipe.txt')).toBeVisible()
  await files.act('recipe.txt', 'Delete')
  await expect(files.dialog.getByRole('link', { name: 'Bakery' })).toBeVisible()
  await expectAccessible(chat.page)
  await files.dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(files.row('recipe.txt')).toHaveCount(0)
  await files.act('broken.pdf', 'Delete')
  await expect(files.dialog).toContainText('Not used in any')
  await files.dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(chat.page.getByText('No files yet')).toBeVisible()
})

for (const view of VIEWS) {
  test.describe(`in ${view.name}`, () => {
    test.use({ viewport: { width: view.width, height: 800 } })

    test('the list of files has no accessibility fault', async ({ chat }) => {
      const files = new FilesPage(chat.page, chat.url)
      await files.open()
      await expectAccessible(chat.page, view.schemes)
      await files.add(broken, { ...plan, name: `${'very-long-name-'.repeat(12)}.txt` })
      await expect(files.row('broken.pdf')).toContainText('damaged')
      await expectAccessible(chat.page, view.schemes)
      expect(
        await chat.page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
      ).toBe(false)
    })
  })
}
