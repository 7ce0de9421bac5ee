import { readFileSync } from 'node:fs'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'

const SECTION = 'Words that fill the part. '.repeat(30)
const LONG = `/crumbs # Bread\n\n${SECTION}\n\n## Flour\n\n${SECTION}\n\n## Water\n\n${SECTION}\n\n## Salt\n\n${SECTION}`

test('beside an answer stands who gave it, on an empty chat who will give it', async ({ chat }) => {
  const { page } = chat
  await chat.open()
  const picture = page.locator('main img').first()
  await expect(picture).toHaveAttribute('src', /models\/model\/profile\/image\?id=/)
  const answer = await chat.ask('/echo who is it')
  const mark = answer.locator('img').first()
  await expect(mark).toBeVisible()
  await expect.poll(() => mark.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96)
  await chat.modelButton.click()
  await expect(page.getByRole('option').first().locator('img')).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
})

test('a long answer has an outline that leads to each of its parts', async ({ chat }) => {
  const { page } = chat
  await chat.open()
  const answer = await chat.ask(LONG)
  await answer.getByRole('button', { name: 'Outline of this answer' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Bread', 'Flour', 'Water', 'Salt'])
  await page.getByRole('menuitem', { name: 'Flour' }).click()
  const heading = answer.getByRole('heading', { name: 'Flour' })
  await expect(heading).toBeInViewport()
  await expect(heading).toBeFocused()
  const short = await chat.ask('/echo # A\n# B\n# C')
  await expect(short.getByRole('button', { name: 'Outline of this answer' })).toHaveCount(0)
})

test('what is selected in an answer can be quoted below what is already written', async ({
  chat,
}) => {
  const { page } = chat
  await chat.open()
  const answer = await chat.ask('/crumbs The starter is ready when it floats.')
  await chat.composer.fill('About this:')
  await answer.locator('.markdown p').first().selectText()
  await page.keyboard.press('Shift')
  await page.getByRole('button', { name: 'Quote', exact: true }).click()
  await expect(chat.composer).toHaveValue(
    'About this:\n\n> The starter is ready when it floats.\n\n',
  )
  await expect(chat.composer).toBeFocused()
  await expect(page.getByRole('button', { name: 'Quote', exact: true })).toHaveCount(0)
})

test('a table is copied for spreadsheets and saved as CSV', async ({ chat }) => {
  const { page } = chat
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await chat.open()
  const answer = await chat.ask('/crumbs | When | What |\n|---|---|\n| 9:00 | Mix, then fold |')
  await answer.getByRole('figure', { name: 'Table' }).hover()
  await answer.getByRole('button', { name: 'Copy table' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'When\tWhat\n9:00\tMix, then fold',
  )
  const saving = page.waitForEvent('download')
  await answer.getByRole('button', { name: 'Download as CSV' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('table.csv')
  expect(readFileSync(await saved.path(), 'utf8')).toBe('When,What\r\n9:00,"Mix, then fold"\r\n')
})

test('the bar of a long piece of code stays in sight', async ({ chat }) => {
  await chat.open()
  const code = Array.from({ length: 120 }, (_, line) => `const line${line} = ${line}`).join('\n')
  const answer = await chat.ask(`/crumbs \`\`\`ts\n${code}\n\`\`\``)
  await answer.getByRole('button', { name: 'Show all' }).click()
  await answer.locator('pre').evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await expect(answer.getByRole('button', { name: 'Wrap long lines' })).toBeInViewport()
})
