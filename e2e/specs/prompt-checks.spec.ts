import { expectAccessible, BOTH_SCHEMES } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { WorkspacePage } from '../pages/workspace-page.ts'

test('a prompt is checked on a model: blanks filled, expectations judged, progress told, and stopped', async ({
  chat,
}) => {
  const { page } = chat
  const keepPicture = async (name: string): Promise<void> => {
    const folder = process.env['SCREENSHOTS']
    if (folder) await page.screenshot({ path: `${folder}/checks-${name}.png` })
  }
  const workspace = new WorkspacePage(page, chat.url)
  await workspace.open('prompts')
  await workspace.writePrompt({ name: 'Checked', content: '/echo Hello {{who}}' })
  await workspace.choose('Checked', 'Checks')
  const { dialog } = workspace
  await expect(dialog.getByText('No checks yet.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add a check' }).click()
  await dialog.getByLabel('who').fill('Ada')
  await dialog.getByLabel('Expected text').fill('hello ada')
  await dialog.getByRole('button', { name: 'Add an expectation' }).click()
  await dialog.getByLabel('What is expected').last().selectOption('lacks')
  await dialog.getByLabel('Expected text').last().fill('goodbye')
  const models = dialog.getByRole('group', { name: 'Models' })
  for (const box of await models.getByRole('checkbox').all()) await box.uncheck()
  await models.getByRole('checkbox', { name: 'text', exact: true }).check()
  await expectAccessible(page, BOTH_SCHEMES)
  await keepPicture('form')
  await dialog.getByRole('button', { name: 'Save and run' }).click()
  await expect(dialog.getByRole('status')).toHaveText('1 passed, 0 failed')
  await expect(dialog.getByRole('region', { name: 'Results' })).toContainText('passed')
  await dialog.getByRole('region', { name: 'Results' }).scrollIntoViewIfNeeded()
  await expectAccessible(page, BOTH_SCHEMES)
  await keepPicture('results')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await keepPicture('results-390')
  await page.emulateMedia({ colorScheme: 'dark' })
  await keepPicture('results-390-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })

  await dialog.getByLabel('Expected text').first().fill('goodnight')
  await dialog.getByRole('button', { name: 'Save and run' }).click()
  await expect(dialog.getByRole('status')).toHaveText('0 passed, 1 failed')
  await expect(dialog.getByRole('region', { name: 'Results' })).toContainText(
    'The answer does not say "goodnight".',
  )
})

test('a run that does not end is stopped, and the next one may begin', async ({ chat }) => {
  const workspace = new WorkspacePage(chat.page, chat.url)
  await workspace.open('prompts')
  await workspace.writePrompt({ name: 'Endless', content: '/stall' })
  await workspace.choose('Endless', 'Checks')
  const { dialog } = workspace
  await dialog.getByRole('button', { name: 'Add a check' }).click()
  await dialog.getByLabel('Expected text').fill('anything')
  const models = dialog.getByRole('group', { name: 'Models' })
  for (const box of await models.getByRole('checkbox').all()) await box.uncheck()
  await models.getByRole('checkbox', { name: 'text', exact: true }).check()
  for (let round = 0; round < 2; round += 1) {
    await dialog.getByRole('button', { name: 'Save and run' }).click()
    await expect(dialog.getByRole('status')).toHaveText('0 of 1 answers')
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await expect(dialog.getByRole('status')).toHaveText('Stopped.')
    await expect(dialog.getByRole('alert')).toBeHidden()
  }
})
