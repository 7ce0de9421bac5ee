import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConnectionCheck } from '../../server/contract/connections.ts'
import { startProxy } from '../../server/testing/start-proxy.ts'
import { startSocksProxy } from '../../server/testing/start-socks-proxy.ts'
import { expect, test, type DesktopApp } from './desktop-app.ts'

/** Makes the gateway call a provider, as an administrator who tests a connection does. */
const tryProvider = (app: DesktopApp, url: string): Promise<ConnectionCheck> =>
  app.page.evaluate(async (address) => {
    const reply = await fetch('/api/v1/connections/verify', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Session-Key': localStorage.getItem('session-key')!,
      },
      body: JSON.stringify({ kind: 'compatible', name: 'Far', url: address, timeout_seconds: 20 }),
    })
    return (await reply.json()) as ConnectionCheck
  }, url)

test('the gateway goes where the script of the system leads for each address', async ({ app }) => {
  const provider = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: [{ id: 'far-model' }] }))
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const leadTo = (provider.address() as AddressInfo).port
  const proxy = await startProxy({ leadTo })
  const socks = await startSocksProxy({ leadTo })
  const script = createServer((_, response) => {
    response.setHeader('content-type', 'application/x-ns-proxy-autoconfig')
    response.end(`function FindProxyForURL(url, host) {
      if (host == 'far.example') return 'PROXY 127.0.0.1:${proxy.port}'
      if (host == 'socks.example') return 'SOCKS5 127.0.0.1:${socks.port}'
      if (host == 'old.example') return 'SOCKS4 127.0.0.1:${socks.port}'
      return 'DIRECT'
    }`)
  }).listen(0, '127.0.0.1')
  await once(script, 'listening')
  const { port } = script.address() as AddressInfo
  await app.electron.evaluate(
    async ({ session }, pacScript) =>
      session.defaultSession.setProxy({ mode: 'pac_script', pacScript }),
    `http://127.0.0.1:${port}/proxy.pac`,
  )
  expect(
    await app.electron.evaluate(({ session }) =>
      session.defaultSession.resolveProxy('http://far.example'),
    ),
  ).toBe(`PROXY 127.0.0.1:${proxy.port}`)

  const far = await tryProvider(app, 'http://far.example/v1')
  expect(far).toMatchObject({ ok: true, models: ['far-model'] })
  expect(proxy.asked).toEqual(['far.example:80'])

  const other = await tryProvider(app, 'http://socks.example/v1')
  expect(other).toMatchObject({ ok: true, models: ['far-model'] })
  expect(socks.asked).toEqual(['socks.example:80'])
  const old = await tryProvider(app, 'http://old.example/v1')
  expect(old.ok).toBe(false)
  expect(old.detail).toContain('SOCKS 4')
  expect((await tryProvider(app, 'http://straight.invalid/v1')).ok).toBe(false)
  expect(proxy.asked).toEqual(['far.example:80'])
  await proxy.close()
  await socks.close()
  script.close()
  provider.close()
})
