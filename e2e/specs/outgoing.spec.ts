import { ADMIN, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { AdminPages } from '../pages/admin-pages.ts'

const PHONE = { width: 390, height: 780 }

test('sealed mode refuses what would leave, which the list of outgoing connections shows', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ SEALED_MODE: 'true' })
  await settleIn(page.context(), gateway, ADMIN)
  const headers = {
    Authorization: `Bearer ${gateway.adminToken}`,
    'Content-Type': 'application/json',
  }
  const body = JSON.stringify({
    kind: 'compatible',
    url: 'https://models.example.org/v1',
    name: 'Far away',
  })
  await fetch(`${gateway.url}/api/v1/connections/verify`, { method: 'POST', headers, body })
  await new AdminPages(page, gateway.url).open('outgoing')
  await expect(
    page.getByText(/^Nothing left the gateway’s computer in the last 24 hours\./),
  ).toBeVisible()
  await expect(page.getByText('models.example.org:443')).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByLabel('Show').selectOption('One by one')
  await expect(page.getByRole('list', { name: 'One by one' })).toContainText('Far away')
  await page.getByLabel('Outcome').selectOption('Ended')
  await expect(page.getByText('No connections match')).toBeVisible()
  await page.getByLabel('Outcome').selectOption('Any outcome')
  await page.getByLabel('Search hosts and names').fill('models')
  await expect(page.getByText('models.example.org:443')).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  expect((await saved).suggestedFilename()).toBe('outgoing-connections.csv')
  await page.setViewportSize(PHONE)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.goto(gateway.url)
  await expect(page.getByText('Sealed', { exact: true })).toBeVisible()
  await new AdminPages(page, gateway.url).open('outgoing')
  await expect(page.getByRole('radio', { name: 'Sealed mode' })).toBeChecked()
  await page.getByRole('radio', { name: 'Offline mode' }).click()
  await expect(page.getByRole('radio', { name: 'Offline mode' })).toBeChecked()
  await page.getByRole('radio', { name: 'Everything allowed' }).click()
  await expect(page.getByRole('radio', { name: 'Everything allowed' })).toBeChecked()
  await page.getByText('Connections that are not listed').click()
  await expect(page.getByText(/^Calls of a window/)).toBeVisible()
  await page.goto(gateway.url)
  await expect(page.getByRole('textbox').first()).toBeVisible()
  await expect(page.getByText('Sealed', { exact: true })).toHaveCount(0)
})
