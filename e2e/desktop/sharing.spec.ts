import { once } from 'node:events'
import { connect } from 'node:tls'
import type { SharingStatus } from '../../server/contract/sharing.ts'
import { expect, takePicture, test } from './desktop-app.ts'

test('the app shares its gateway with the network by itself, with a certificate it makes', async ({
  app,
}) => {
  // Loopback is not offered in the UI, but is the only address that every machine has.
  const status = await app.page.evaluate(async () => {
    const reply = await fetch('/api/v1/sharing/on', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Session-Key': localStorage.getItem('session-key')!,
      },
      body: JSON.stringify({ addresses: ['127.0.0.1'] }),
    })
    return (await reply.json()) as SharingStatus
  })
  expect(status).toMatchObject({ on: true, fault: null })
  const socket = connect({ host: '127.0.0.1', port: status.port!, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  expect(socket.getPeerX509Certificate()!.fingerprint256).toBe(status.certificate!.fingerprint)
  socket.destroy()
  await app.page.goto(`${app.gateway().url}/settings/sharing`)
  await expect(
    app.page.getByText(`https://127.0.0.1:${status.port}`, { exact: true }),
  ).toBeVisible()
  await expect(app.page.getByText('The app signs you in without a password.')).toBeVisible()
  await takePicture(app.page, 'sharing')
  await app.page.getByRole('switch', { name: 'Share with my network' }).click()
  await expect(app.page.getByText('Open on the other device')).toHaveCount(0)
})
