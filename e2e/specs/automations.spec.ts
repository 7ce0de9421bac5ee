import { ADMIN, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'

/** A tool as the gateway lists it. */
const TOOL = {
  id: 'weather',
  user_id: 'somebody',
  name: 'Weather',
  meta: {},
  has_user_valves: false,
  write_access: false,
  fault: null,
  missing_package: null,
  user: null,
  created_at: 1,
  updated_at: 1,
  access_grants: [],
  access_control: {},
}
const PHONE = { width: 390, height: 780 }

test('a prompt is asked by itself: made, run, looked at, paused and deleted', async ({
  page,
  startOwnGateway,
}) => {
  test.slow()
  const gateway = await startOwnGateway({})
  await settleIn(page.context(), gateway, ADMIN)
  await page.route('**/api/v1/tools/', (route) => route.fulfill({ json: [TOOL] }))
  await page.goto(`${gateway.url}/workspace/automations`)
  await expect(page.getByText('No automations yet')).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  const editor = page.getByRole('dialog', { name: 'New automation' })
  await page.getByRole('button', { name: 'Start from an example' }).click()
  await expect(editor.getByLabel('Name', { exact: true })).toHaveValue('Dinner idea')
  await expect(editor.getByLabel('Prompt')).toHaveValue(/dinner/)
  await expect(editor.getByLabel('Model')).not.toHaveValue('')
  await editor.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'New automation' }).first().click()
  await editor.getByLabel('Name', { exact: true }).fill('Morning news')
  await editor.getByLabel('Prompt').fill('What happened?')
  await editor.getByLabel('Model').selectOption('text')
  await expect(editor.getByText('The next times')).toBeVisible()
  await expect(editor.getByRole('listitem')).toHaveCount(3)
  await editor.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await expect(editor.getByText('Times are those of Asia/Tokyo.')).toBeVisible()
  await editor.getByLabel('When').selectOption('By a rule (RRULE)')
  await editor.getByLabel('Rule', { exact: true }).fill('RRULE:FREQ=SECONDLY')
  await expect(editor.getByText(/^Invalid RRULE/)).toBeVisible()
  await editor.getByLabel('When').selectOption('Monday to Friday')
  await editor.getByLabel('Time', { exact: true }).fill('17:30')
  await expect(editor.getByText(/5:30/).first()).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: test.info().outputPath('editor.png') })
  await editor.getByRole('button', { name: 'Save' }).click()
  const list = page.getByRole('list', { name: 'Automations' })
  const row = list.getByRole('listitem').filter({ hasText: 'Morning news' })
  await expect(row).toContainText('Has not run yet')
  const choose = async (action: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for Morning news' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await choose('Run now')
  await expect(page.getByText('“Morning news” has run.', { exact: true })).toBeVisible({
    timeout: 20_000,
  })
  await expect(row).toContainText(/Last run .*: done/, { timeout: 20_000 })
  const again = page.getByRole('dialog', { name: 'Edit “Morning news”' })
  await choose('Edit')
  await again.getByRole('checkbox', { name: 'Weather' }).check()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: test.info().outputPath('tools.png') })
  await again.getByRole('button', { name: 'Save' }).click()
  await expect(again).toBeHidden()
  await page.unroute('**/api/v1/tools/')
  await page.reload()
  await choose('Edit')
  await expect(again.getByLabel('Time zone')).toHaveValue('Asia/Tokyo')
  await expect(again.getByRole('checkbox', { name: /weather.*not there any more/ })).toBeChecked()
  await again.getByRole('checkbox', { name: /weather/ }).uncheck()
  await again.getByRole('button', { name: 'Save' }).click()
  await expect(again).toBeHidden()
  await choose('Pause')
  await expect(row).toContainText('Paused')
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: test.info().outputPath('list.png') })
  await choose('Address for programs')
  const address = page.getByRole('dialog', { name: 'Address of “Morning news”' })
  await address.getByRole('button', { name: 'Make an address' }).click()
  await expect(address.getByText(/\/api\/v1\/automations\/hooks\//)).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.keyboard.press('Escape')
  await page.setViewportSize(PHONE)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: test.info().outputPath('phone.png') })
  await choose('History')
  const history = page.getByRole('dialog', { name: 'History of “Morning news”' })
  await expect(history).toContainText('By hand')
  await expectAccessible(page, BOTH_SCHEMES)
  await history.getByRole('link', { name: 'Open the chat' }).click()
  await expect(page.getByText('What happened?')).toBeVisible()
  await page.goto(`${gateway.url}/workspace/automations`)
  await choose('Delete')
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No automations yet')).toBeVisible()
})

test('an automation that a program made without a name is shown as untitled and can be opened', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({})
  await settleIn(page.context(), gateway, ADMIN)
  const made = await page.request.post(`${gateway.url}/api/v1/automations/create`, {
    data: { name: '', data: { prompt: '', model_id: 'text', rrule: null } },
  })
  expect(made.status()).toBe(200)
  await page.goto(`${gateway.url}/workspace/automations`)
  await page.getByRole('button', { name: 'Untitled', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Edit “Untitled”' })
  await expect(editor.getByLabel('Name', { exact: true })).toHaveValue('')
  await page.keyboard.press('Escape')
  await expectAccessible(page, BOTH_SCHEMES)
  await page.setViewportSize(PHONE)
  await page.screenshot({ path: test.info().outputPath('untitled.png') })
})
