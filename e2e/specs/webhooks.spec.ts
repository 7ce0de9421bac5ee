import { ADMIN, settleIn } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'
import { startReceiver } from '../../server/testing/start-receiver.ts'

test('an address is entered, signed, tested and says how the last delivery went', async ({ page, startOwnGateway }) => {
  const receiver = await startReceiver()
  const gateway = await startOwnGateway({ ENABLE_USER_WEBHOOKS: 'true', WEB_FETCH_ALLOWED_HOSTS: receiver.url.slice('http://'.length) })
  await settleIn(page.context(), gateway, ADMIN)
  for (const [place, title] of [
    ['announcements', 'Report of new accounts'],
    ['account', 'Notify me elsewhere'],
  ] as const) {
    receiver.answer((response) => response.end())
    await page.goto(`${gateway.url}/settings/${place}`)
    const section = page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
    const send = section.getByRole('button', { name: 'Send test' })
    await expect(send).toBeDisabled()
    await section.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/${place}`)
    await section.getByLabel('Secret for signatures').fill('a secret nobody sees again')
    await section.getByRole('button', { name: 'Save', exact: true }).click()
    await send.click()
    await expect(section.getByRole('status')).toContainText('Delivered this minute: a test, status 200.')
    expect(receiver.received.at(-1)!.path).toBe(`/${place}`)
    expect(receiver.received.at(-1)!.headers['webhook-signature']).toMatch(/^v1,/)
    receiver.answer((response) => response.writeHead(404).end())
    await send.click()
    await expect(section.getByRole('status')).toContainText(
      'Not delivered this minute after 1 try: a test. The receiver answered with status 404',
    )
    await page.reload()
    await expect(section.getByRole('status')).toContainText('status 404')
    await expect(section.getByLabel('Secret for signatures')).toHaveValue('')
    await expect(section.getByRole('button', { name: 'Remove secret' })).toBeVisible()
  }
  await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1/inside')
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await expect(page.getByRole('alert').filter({ hasText: 'not on the public internet' })).toBeVisible()
  await receiver.close()
})
