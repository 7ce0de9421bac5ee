import { readFile, writeFile } from 'node:fs/promises'
import { ADMIN, settleIn } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'
import { AdminPages } from '../pages/admin-pages.ts'

test('a notice stands above every page until it is put away, and comes back when it changes', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const admin = new AdminPages(page, gateway.url)
  await admin.open('announcements')
  await page.getByRole('button', { name: 'Add notice' }).click()
  const entry = page.getByRole('listitem', { name: 'Notice 1' })
  await entry.getByLabel('Type').selectOption('Warning')
  await entry.getByLabel('Text').fill('Restart **on Friday**')
  await page.getByRole('button', { name: 'Save notices' }).click()
  const bar = page.getByRole('region', { name: 'Notices', exact: true })
  await expect(bar).toContainText('Restart on Friday')
  await page.goto(gateway.url)
  await expect(bar).toContainText('Restart on Friday')
  await bar.getByRole('button', { name: 'Dismiss notice' }).click()
  await expect(bar).toHaveCount(0)
  await page.reload()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  await expect(bar).toHaveCount(0)
  await admin.open('announcements')
  await entry.getByLabel('Text').fill('Restart **on Monday**')
  await page.getByRole('button', { name: 'Save notices' }).click()
  await expect(bar).toContainText('Restart on Monday')
})

test('settings go to another gateway, with a preview of what changes', async ({
  page,
  startOwnGateway,
}, testInfo) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const headers = { Authorization: `Bearer ${gateway.adminToken}` }
  await page.request.post(`${gateway.url}/api/v1/settings`, {
    headers,
    data: { values: { SHOW_ADMIN_DETAILS: false } },
  })
  await page.goto(`${gateway.url}/settings/gateway`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export settings' }).click()
  const exported = JSON.parse(await readFile(await (await download).path(), 'utf8')) as Record<
    string,
    unknown
  >
  expect(exported).toMatchObject({ SHOW_ADMIN_DETAILS: false })
  const file = testInfo.outputPath('settings.json')
  await writeFile(
    file,
    JSON.stringify({ ...exported, JWT_EXPIRES_IN: '12h', FROM_ANOTHER_RELEASE: 1 }),
  )
  await page.getByLabel('Import settings').setInputFiles(file)
  const preview = page.getByRole('dialog', { name: 'Review changes' })
  await expect(preview.getByRole('listitem')).toHaveText(/JWT_EXPIRES_IN.*4w.*12h/s)
  await expect(preview).toContainText('FROM_ANOTHER_RELEASE')
  await preview.getByRole('button', { name: 'Change 1 setting' }).click()
  await expect(new AdminPages(page, gateway.url).note('Settings imported')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'How long a sign-in lasts' })).toHaveValue('12h')
})
