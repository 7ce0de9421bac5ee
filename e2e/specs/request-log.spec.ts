import { ADMIN, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { AdminPages } from '../pages/admin-pages.ts'

test('calls appear as they end, are filtered, opened, sent again on another model and cleared', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ ENABLE_REQUEST_LOG_BODIES: 'true' })
  await settleIn(page.context(), gateway, ADMIN)
  const admin = new AdminPages(page, gateway.url)
  await admin.open('requests')
  await expect(page.getByText('Live: calls appear as they finish.')).toBeVisible()
  const headers = {
    Authorization: `Bearer ${gateway.adminToken}`,
    'Content-Type': 'application/json',
  }
  const messages = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: '/echo from a script' },
  ]
  const body = JSON.stringify({ model: 'text', messages })
  await fetch(`${gateway.url}/api/chat/completions`, { method: 'POST', headers, body })
  await fetch(`${gateway.url}/api/v1/chats/missing`, { headers })
  await expect(admin.row('/api/chat/completions')).toContainText('200')
  await page.getByLabel('Status').selectOption('4xx')
  await expect(admin.row('/api/v1/chats/missing')).toContainText('404')
  await expect(admin.row('/api/chat/completions')).toHaveCount(0)
  await page.getByLabel('Status').selectOption('All statuses')
  await admin.requestSearch.fill('completions')
  await page.getByRole('button', { name: 'POST /api/chat/completions' }).click()
  const detail = admin.dialog('POST /api/chat/completions')
  await expect(detail.getByRole('region', { name: 'Request' })).toContainText('from a script')
  const asked = detail.getByRole('region', { name: 'Sent to connections' })
  await expect(asked).toContainText('200')
  await expect(asked.getByRole('region', { name: /^Sent to .* \(attempt 1\)$/ })).toContainText(
    'from a script',
  )
  await expect(detail.getByRole('region', { name: 'Fields that were converted' })).toContainText(
    'message.role',
  )
  await expect(detail.getByRole('region', { name: 'Copy as curl' })).toContainText(
    '$CHAT_GATEWAY_KEY',
  )
  expect(await detail.innerText()).not.toContain(gateway.adminToken)
  await detail.getByLabel('Model').selectOption('reasoning')
  await detail.getByRole('button', { name: 'Send again' }).click()
  await expect(detail.getByRole('region', { name: 'New answer' })).toContainText('from a script')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear' }).click()
  await admin.dialog('Clear the request log?').getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByText('No calls match the filter')).toBeVisible()
})

test('a call shows each try, and what was left out with the reason', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ ENABLE_REQUEST_LOG_BODIES: 'true' })
  await settleIn(page.context(), gateway, ADMIN)
  const admin = new AdminPages(page, gateway.url)
  await admin.open('requests')
  const headers = {
    Authorization: `Bearer ${gateway.adminToken}`,
    'Content-Type': 'application/json',
  }
  const body = {
    model: 'text',
    max_tokens: 50,
    speed: 'fast',
    system: 'Be brief.',
    messages: [{ role: 'user', content: '/error 503' }],
  }
  await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) })
  await page.getByRole('button', { name: 'POST /v1/messages' }).click()
  const detail = admin.dialog('POST /v1/messages')
  await expect(detail.getByRole('region', { name: 'Request' })).toContainText('speed')
  const asked = detail.getByRole('region', { name: 'Sent to connections' })
  await expect(asked.getByRole('listitem')).toHaveText([/^503/, /^503/])
  await expect(asked.getByRole('region', { name: /^Sent to .* \(attempt 1\)$/ })).not.toContainText(
    'speed',
  )
  const left = detail.getByRole('region', { name: 'Fields that were left out' })
  await expect(left.getByRole('listitem')).toHaveText(
    /^speed Only the original vendor of this format/,
  )
  await expect(detail.getByRole('region', { name: 'Fields that were converted' })).toContainText(
    'system, max_tokens',
  )
})

test('paused the log stands still, and where it is off it can be switched on', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const admin = new AdminPages(page, gateway.url)
  await admin.open('requests')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused.')).toBeVisible()
  await fetch(`${gateway.url}/api/version?while=paused`)
  await expect(admin.row('while=paused')).toHaveCount(0)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(admin.row('while=paused')).toBeVisible()
  const headers = { Authorization: `Bearer ${gateway.adminToken}` }
  await page.request.post(`${gateway.url}/api/v1/settings`, {
    headers,
    data: { values: { ENABLE_REQUEST_LOG: false } },
  })
  await page.reload()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Live: calls appear as they finish.')).toBeVisible()
})

test('the API is described, written in three languages and tried with a key that ends by itself', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway({ ENABLE_API_KEY_LIMITS: 'true' })
  await settleIn(page.context(), gateway, ADMIN)
  const admin = new AdminPages(page, gateway.url)
  await admin.open('api')
  const search = admin.main.getByRole('searchbox')
  await search.fill('chat completions')
  await expect(admin.operation('/api/chat/completions').first()).toBeVisible()
  await search.fill('/api/v1/users/user/settings')
  await admin.operation('GET /api/v1/users/user/settings').first().click()
  const sample = page.getByRole('region', { name: 'Sample' })
  await expect(sample).toContainText('curl')
  await page.getByRole('button', { name: 'Python' }).click()
  await expect(sample).toContainText('requests.get(')
  await page.getByRole('button', { name: 'Test' }).click()
  const reply = page.getByRole('region', { name: 'Response', exact: true })
  await expect(reply).toContainText('"welcomed": true')
  const keys = () =>
    page.request
      .get(`${gateway.url}/api/v1/auths/api_keys`)
      .then((reply) => reply.json() as Promise<unknown[]>)
  expect(await keys()).toMatchObject([
    { name: 'API page', expires_at: expect.any(Number) as unknown as number },
  ])
  await page.getByRole('button', { name: /^Personal/ }).click()
  await page.getByRole('link', { name: 'Account' }).click()
  await expect.poll(async () => (await keys()).length).toBe(0)
})

test('calls of programs stand alone at first, drawn over time, with tokens, cost and what sending them again needs', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const headers = {
    Authorization: `Bearer ${gateway.adminToken}`,
    'Content-Type': 'application/json',
  }
  const post = (path: string, body: object) =>
    fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await post('/api/v1/settings', {
    values: { MODEL_PRICES: '[{"model":"text","input":1000,"output":1000,"currency":"EUR"}]' },
  })
  const messages = [{ role: 'user', content: '/echo priced' }]
  const stream = { stream: true, stream_options: { include_usage: true } }
  await (await post('/api/chat/completions', { model: 'text', messages, ...stream })).text()
  await fetch(`${gateway.url}/api/v1/chats/missing`, { headers })
  // The chart needs calls of two minutes, so the first one is made older.
  await page.route(
    ({ pathname }) => pathname === '/api/v1/requests',
    async (route) => {
      const response = await route.fetch()
      const log = (await response.json()) as { items: { time: number }[] }
      log.items.at(-1)!.time -= 120_000
      await route.fulfill({ response, json: log })
    },
  )
  const admin = new AdminPages(page, gateway.url)
  await admin.open('requests')
  const row = admin.row('/api/chat/completions')
  await expect(row).toContainText('€')
  await expect(row).toContainText('began after')
  const chart = page.getByRole('region', { name: 'Calls and tokens over time' })
  await expect(chart.getByRole('img', { name: /\d+ calls between .* failed$/ })).toBeVisible()
  await chart.getByText('Show as table').click()
  await expect(chart.getByRole('table')).toContainText('Failed')
  await expect(admin.row('/api/config')).toHaveCount(0)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(admin.row('/api/v1/chats').first()).toBeInViewport()
  await expect(chart.getByRole('img').first()).toBeHidden()
  await chart.locator('summary').first().click()
  await expect(chart.getByRole('img').first()).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('switch', { name: 'Also show calls from this app' }).click()
  await expect(admin.row('/api/config').first()).toBeVisible()
  await page.getByRole('button', { name: 'POST /api/chat/completions' }).click()
  const detail = admin.dialog('POST /api/chat/completions')
  await detail.getByRole('button', { name: 'Keep bodies' }).click()
  await expect(detail).toContainText('You can send calls again from now on.')
  await expectAccessible(page, BOTH_SCHEMES)
})
