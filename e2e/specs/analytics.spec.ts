import { ADMIN, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { AdminPages } from '../pages/admin-pages.ts'

const PHONE = { width: 390, height: 780 }

test('administrators see how much is asked, as pictures and tables, and can save and switch it off', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({})
  await settleIn(page.context(), gateway, ADMIN)
  const headers = {
    Authorization: `Bearer ${gateway.adminToken}`,
    'Content-Type': 'application/json',
  }
  const pages = new AdminPages(page, gateway.url)
  await pages.open('analytics')
  await expect(page.getByText('Nothing was asked in this time')).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  const timestamp = Math.floor(Date.now() / 1000)
  for (const [model, days] of [
    ['north-large', 0],
    ['south-mini', 3],
    ['north-large', 9],
  ] as const) {
    const at = timestamp - days * 86_400
    const messages = {
      q: { id: 'q', role: 'user', content: 'Hello', childrenIds: ['a'], timestamp: at },
      a: {
        id: 'a',
        role: 'assistant',
        content: 'Good day',
        parentId: 'q',
        childrenIds: [],
        timestamp: at,
        model,
        usage: { input_tokens: 1200 * (days + 1), output_tokens: 340 },
        done: true,
      },
    }
    const chat = { title: 'Secret plans', models: [model], history: { currentId: 'a', messages } }
    await fetch(`${gateway.url}/api/v1/chats/new`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ chat }),
    })
  }
  await page.reload()
  await expect(
    page.getByRole('img', { name: /^3 answers from .* the most at once: 1$/ }),
  ).toBeVisible()
  await expect(page.getByRole('img', { name: /^19,?020 tokens from / })).toBeVisible()
  const models = page.getByRole('table', { name: 'Models' })
  await expect(models.getByRole('row').nth(1)).toContainText('north-large')
  await expect(models.getByRole('row').nth(1)).toContainText('66.7%')
  await expect(page.getByRole('table', { name: 'People' })).toContainText(ADMIN.name)
  await page.getByText('Show as table').click()
  await expect(page.getByRole('table', { name: 'Over time' }).getByRole('row')).toHaveCount(4)
  await expect(page.getByRole('main')).not.toContainText('Secret plans')
  await page.screenshot({ path: test.info().outputPath('light.png'), fullPage: true })
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByLabel('Time', { exact: true }).selectOption('Last 7 days')
  await expect(page.getByRole('img', { name: /^2 answers / })).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV: people' }).click()
  expect((await saved).suggestedFilename()).toBe('analytics-people.csv')
  await page.setViewportSize(PHONE)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByRole('switch', { name: 'Analytics' }).click()
  await expect(page.getByText('Analytics is off')).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
})
