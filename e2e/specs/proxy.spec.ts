import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createTestCertificate } from '../../server/testing/create-test-certificate.ts'
import { startProxy } from '../../server/testing/start-proxy.ts'
import { ADMIN, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { AdminPages } from '../pages/admin-pages.ts'

const PHONE = { width: 390, height: 780 }

test('the connection check shows who issued a certificate, and trusts it; a proxy that refuses is left out', async ({
  page,
  startOwnGateway,
}) => {
  const server = createServer(
    createTestCertificate({ name: 'localhost', days: 90 }),
    (_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data: [{ id: 'large' }] }))
    },
  )
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy = await startProxy({ leadTo: port })
  proxy.conduct = 'refuse'
  const gateway = await startOwnGateway({ PROXY_ADDRESS: `http://127.0.0.1:${proxy.port}` })
  await settleIn(page.context(), gateway, ADMIN)
  const headers = {
    Authorization: `Bearer ${gateway.adminToken}`,
    'Content-Type': 'application/json',
  }
  const add = (name: string, url: string) =>
    fetch(`${gateway.url}/api/v1/connections`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ kind: 'compatible', name, url }),
    })
  await add('Private', `https://localhost:${port}/v1`)
  await add('Far', 'http://192.0.2.7:9/v1')
  await page.goto(`${gateway.url}/settings/doctor`)
  await page.getByLabel('Connection', { exact: true }).selectOption('Private')
  await expect(page.getByText('Fingerprint (SHA-256)')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('Issued by')).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: 'out/test-results/trust-light.png', fullPage: true })
  await page.setViewportSize(PHONE)
  await expectAccessible(page, BOTH_SCHEMES)
  await page.screenshot({ path: 'out/test-results/trust-narrow.png', fullPage: true })
  await page.getByRole('button', { name: 'Trust this certificate' }).click()
  await expect(page.getByRole('main').getByText('Everything works.')).toBeVisible({
    timeout: 20_000,
  })
  await page.getByLabel('Connection', { exact: true }).selectOption('Far')
  await page.getByRole('button', { name: 'Call it without the proxy' }).click({ timeout: 20_000 })
  const steps = page.locator('main')
  await expect(steps.locator('[data-step=port]')).toHaveAttribute('data-verdict', 'bad', {
    timeout: 20_000,
  })
  await new AdminPages(page, gateway.url).open('outgoing')
  await expect(
    page.getByText(`Calls go through the proxy 127.0.0.1:${proxy.port} of the settings.`),
  ).toBeVisible()
  await page.screenshot({ path: 'out/test-results/proxy-narrow.png', fullPage: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('radio', { name: 'Sealed mode' }).click()
  await expect(page.getByRole('radio', { name: 'Sealed mode' })).toBeChecked()
  await page.screenshot({ path: 'out/test-results/sealed-dark.png', fullPage: true })
  await proxy.close()
  server.close()
})
