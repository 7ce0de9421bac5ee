import { ADMIN, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { EventWebhooksPage } from '../pages/event-webhooks-page.ts'
import { VIEWS } from '../views.ts'
import { startReceiver } from '../../server/testing/start-receiver.ts'

test('an address is entered, signed, tested and says how the last delivery went', async ({
  page,
  startOwnGateway,
}) => {
  const receiver = await startReceiver()
  const gateway = await startOwnGateway({
    ENABLE_USER_WEBHOOKS: 'true',
    WEB_FETCH_ALLOWED_HOSTS: receiver.url.slice('http://'.length),
  })
  await settleIn(page.context(), gateway, ADMIN)
  for (const [place, title] of [
    ['announcements', 'New account notifications'],
    ['account', 'Notify me elsewhere'],
  ] as const) {
    receiver.answer((response) => response.end())
    await page.goto(`${gateway.url}/settings/${place}`)
    const section = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title }) })
    const send = section.getByRole('button', { name: 'Send test' })
    await expect(send).toBeDisabled()
    await section.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/${place}`)
    await section.getByLabel('Signing secret').fill('a secret nobody sees again')
    await section.getByRole('button', { name: 'Save', exact: true }).click()
    await send.click()
    await expect(section.getByRole('status')).toContainText(
      'Delivered this minute: a test, status 200.',
    )
    expect(receiver.received.at(-1)!.path).toBe(`/${place}`)
    expect(receiver.received.at(-1)!.headers['webhook-signature']).toMatch(/^v1,/)
    receiver.answer((response) => response.writeHead(404).end())
    await send.click()
    await expect(section.getByRole('status')).toContainText(
      'Not delivered this minute after 1 attempt: a test. The receiver answered with status 404',
    )
    await page.reload()
    await expect(section.getByRole('status')).toContainText('status 404')
    await expect(section.getByLabel('Signing secret')).toHaveValue('')
    await expect(section.getByRole('button', { name: 'Remove secret' })).toBeVisible()
  }
  await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1/inside')
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'not on the public internet' }),
  ).toBeVisible()
  await receiver.close()
})

test('an address is told of chosen events by keyboard alone, in day and night, on a phone, and says how the last delivery went', async ({
  page,
  startOwnGateway,
}) => {
  const receiver = await startReceiver()
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  const hooks = new EventWebhooksPage(page, gateway.url)
  await hooks.open()
  await hooks.addButton.focus()
  await page.keyboard.press('Enter')
  await hooks.fill({
    name: 'Audit',
    url: `${receiver.url}/audit`,
    secret: 'a secret nobody sees again',
  })
  await hooks.chooseAllOf('Groups')
  const kind = hooks.form.getByText('Groups (5 of 5)')
  await kind.focus()
  await page.keyboard.press('Enter')
  const created = hooks.form.getByRole('checkbox', { name: 'group.created' })
  await created.focus()
  await page.keyboard.press('Space')
  await expect(hooks.form.getByText('Groups (4 of 5)')).toBeVisible()
  await page.keyboard.press('Space')
  for (const { schemes, width } of VIEWS) {
    await page.setViewportSize({ width, height: 800 })
    if (width > 1000) await expectAccessible(page, schemes)
    const sheet = (await hooks.form.boundingBox())!
    expect(sheet.x + sheet.width).toBeLessThanOrEqual(width)
  }
  await hooks.saveButton.click()
  await expect(hooks.row('Audit')).toContainText('group.*')
  await expect(hooks.status('Audit')).toContainText('Nothing has been sent yet.')

  await hooks.testButton('Audit').press('Enter')
  await expect(hooks.status('Audit')).toContainText('Delivered this minute: a test, status 200.')
  expect(receiver.received.at(-1)!.headers['webhook-signature']).toMatch(/^v1,/)
  receiver.answer((response) => response.writeHead(500).end())
  await hooks.testButton('Audit').click()
  await expect(hooks.status('Audit')).toContainText(
    'Not delivered this minute after 1 attempt: a test. The receiver answered with status 500',
  )
  for (const { schemes, width } of VIEWS) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page, schemes)
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  }

  receiver.answer((response) => response.end())
  await page.request.post(`${gateway.url}/api/v1/groups/create`, {
    data: { name: 'Team', description: '' },
    headers: { Authorization: `Bearer ${gateway.adminToken}` },
  })
  await expect
    .poll(() => receiver.received.at(-1)!.body)
    .toMatchObject({ event: 'group.created', actor: { type: 'user' }, data: { name: 'Team' } })
  await page.reload()
  await expect(hooks.status('Audit')).toContainText(
    'Delivered this minute: group.created, status 200.',
  )

  await hooks.row('Audit').getByRole('button', { name: 'Audit', exact: true }).click()
  await expect(hooks.form.getByLabel('Signing secret')).toHaveValue('')
  await hooks.fill({ name: 'Audit of the house', url: 'ftp://example.org/' })
  await hooks.saveButton.click()
  await expect(hooks.form.getByRole('alert')).toContainText('http')
  await hooks.fill({ name: 'Audit of the house', url: `${receiver.url}/house` })
  await hooks.saveButton.click()
  await hooks.row('Audit of the house').getByRole('switch').click()
  await expect(hooks.row('Audit of the house')).toContainText('Off')
  await hooks
    .row('Audit of the house')
    .getByRole('button', { name: 'Actions for “Audit of the house”' })
    .click()
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  await receiver.close()
})
