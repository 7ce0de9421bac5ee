import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectPlain, createServer, type AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SharedDevice, SharingStatus } from '#contract/sharing.ts'
import { createTestCertificate } from '../testing/create-test-certificate.ts'
import { openShared } from '../testing/open-shared.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer({ environment: { SHARING_PORT: '18643' } })
  admin = await server.signUp('Ada')
})
afterAll(() => server.close())

const call = async <Body = SharingStatus>(method: string, path: string, body?: unknown) => {
  const reply = await server.call(method, `/api/v1/sharing${path}`, {
    token: admin,
    ...(body !== undefined && { body }),
  })
  return { status: reply.status, body: (await reply.json()) as Body }
}

/** Reports whether a server accepts connections at a URL. */
async function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connectPlain(Number(port), hostname)
  const result = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return result
}

describe('sharing with the network', () => {
  it('is off until an administrator turns it on, and ends with all its connections', async () => {
    expect((await call('GET', '')).body).toMatchObject({ on: false, port: null, ends_at: null })
    const shared = await openShared(server, admin)
    expect(shared.status).toMatchObject({ on: true, ends_at: null, fault: null })
    expect((await shared.call('/health')).body).toEqual({ status: true })
    const socket = shared.socket(admin)
    await once(socket, 'open')
    const closed = once(socket, 'close')
    expect((await call('POST', '/off')).body).toMatchObject({ on: false, port: null })
    await closed
    expect(await isOpen(shared.url)).toBe(false)
  })

  it('leads a browser that comes without https to the same page, and refuses programs', async () => {
    const { url, host } = await openShared(server, admin)
    const plain = `http://${host}`
    const page = await fetch(`${plain}/join?a=1`, {
      redirect: 'manual',
      headers: { accept: 'text/html,*/*', host: 'evil.example' },
    })
    expect(page.status).toBe(307)
    expect(page.headers.get('location')).toBe(`${url}/join?a=1`)
    expect(await page.text()).toContain('reached by https only')

    const program = await fetch(`${plain}/api/models`, { headers: { authorization: 'Bearer key' } })
    expect(program.status).toBe(400)
    expect(await program.json()).toEqual({
      detail: `This address is reached by https only. Open ${url}`,
      code: 'https_needed',
    })
  })

  it.each([
    ['another host in the path', 'GET //evil.example/ HTTP/1.1\r\nAccept: text/html\r\n\r\n'],
    ['no request at all', `${'A'.repeat(20_000)}`],
    ['a method that changes something', 'POST /x HTTP/1.1\r\nAccept: text/html\r\n\r\n'],
  ])('%s is led nowhere', async (_, bytes) => {
    const { status } = await openShared(server, admin)
    const socket = connectPlain(status.port!, '127.0.0.1')
    socket.write(bytes)
    const reply = await readText(socket)
    expect(reply).toMatch(/^HTTP\/1\.1 400 /)
    expect(reply).not.toContain('Location')
  })

  it('hands a handshake that comes in two pieces on as it is', async () => {
    const { status, call: callShared } = await openShared(server, admin)
    const relay = createServer((near) => {
      const far = connectPlain(status.port!, '127.0.0.1')
      far.pipe(near)
      near.once('data', (hello) => {
        far.write(hello.subarray(0, 1))
        setTimeout(() => {
          far.write(hello.subarray(1))
          near.pipe(far)
        }, 50)
      })
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const { port } = relay.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    socket.destroy()
    relay.close()
    expect((await callShared('/health')).status).toBe(200)
  })

  it('shows the fingerprint that devices see, and keeps the authority they trust', async () => {
    const first = await openShared(server, admin)
    const socket = connect({
      port: first.status.port!,
      host: '127.0.0.1',
      rejectUnauthorized: false,
    })
    await once(socket, 'secureConnect')
    expect(socket.getPeerX509Certificate()!.fingerprint256).toBe(
      first.status.certificate!.fingerprint,
    )
    socket.destroy()
    await call('POST', '/off')
    const again = await openShared(server, admin)
    expect(again.status.certificate).toEqual(first.status.certificate)
  })

  it('keeps the private keys where nobody reads them', async () => {
    await openShared(server, admin)
    const rows = await server.context.storage
      .prepare<[], { kind: string; key: string }>(
        'select kind, key from share_certificate order by kind',
      )
      .all()
    expect(rows.map(({ kind }) => kind)).toEqual(['authority', 'server'])
    for (const { key } of rows) expect(key).toMatch(/^v1\./)
  })

  it('answers to its own names alone, and to pages that came from them', async () => {
    const { call: ask, host, status } = await openShared(server, admin)
    const port = status.port!
    const own = server.context.sharing.certificates.names()[0]!
    for (const name of [host, `${own}:${port}`])
      expect((await ask('/api/config', { headers: { host: name } })).status).toBe(200)
    const loopback = new URL(server.url).host
    for (const name of [
      'evil.example',
      `evil.example:${port}`,
      loopback,
      `localhost:${port}`,
      'x@y',
    ])
      expect((await ask('/api/config', { headers: { host: name } })).status).toBe(403)
    const signIn = { email: 'ada@example.com', password: 'correct horse battery' }
    const foreign = await ask('/api/v1/auths/signin', {
      body: signIn,
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign).toMatchObject({ status: 403 })
    const page = await ask('/api/v1/auths/signin', {
      body: signIn,
      headers: { origin: `https://${host}` },
    })
    expect(page.status).toBe(200)
    expect(page.headers['set-cookie']![0]).toMatch(/^token=.*; Secure/)
  })

  it('opens sockets for pages of its own and refuses those of others', async () => {
    const shared = await openShared(server, admin)
    const socket = shared.socket(admin, { origin: shared.url })
    const [first] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(first.toString())).toMatchObject({ type: 'ready' })
    socket.close()
    const foreign = shared.socket(admin, { origin: 'https://evil.example' })
    foreign.on('error', () => undefined)
    const [, response] = (await once(foreign, 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ]
    expect(response.statusCode).toBe(403)
  })

  it('takes nobody who comes by it for somebody at this machine or for a proxy', async () => {
    const { call: ask } = await openShared(server, admin)
    const { localToken } = server.context.auth
    const local = await ask('/api/v1/auths/local', { body: { token: localToken } })
    expect(local).toMatchObject({ status: 403 })
    await ask('/api/v1/auths/signin', {
      body: { email: 'ada@example.com', password: 'correct horse battery' },
      headers: { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'a phone' },
    })
    const { body: devices } = await call<SharedDevice[]>('GET', '/devices')
    expect(devices.find(({ user_agent }) => user_agent === 'a phone')).toMatchObject({
      address: '127.0.0.1',
      person: 'Ada',
      guest: false,
    })
  })

  it('lists devices, and ends one at once with its sockets', async () => {
    const shared = await openShared(server, admin)
    const signedIn = await shared.call('/api/v1/auths/signin', {
      body: { email: 'ada@example.com', password: 'correct horse battery' },
      headers: { 'user-agent': 'the phone to be lost' },
    })
    const { token } = signedIn.body as { token: string }
    const socket = shared.socket(token)
    await once(socket, 'message')
    const closed = once(socket, 'close')
    const { body: devices } = await call<SharedDevice[]>('GET', '/devices')
    const lost = devices.find(({ user_agent }) => user_agent === 'the phone to be lost')!
    const started = performance.now()
    expect((await call('DELETE', `/devices/${lost.id}`)).status).toBe(200)
    await closed
    expect(performance.now() - started).toBeLessThan(2000)
    expect((await shared.call('/api/v1/auths/', { token })).status).toBe(401)
    expect((await call('DELETE', `/devices/${lost.id}`)).status).toBe(404)
    // Sessions on this machine do not count as devices.
    expect(devices.every(({ user_agent }) => user_agent !== 'node')).toBe(true)
  })

  it('listens on private addresses of this computer only', async () => {
    for (const address of ['0.0.0.0', '8.8.8.8', '::', '192.168.254.254', 'localhost'])
      expect((await call('POST', '/on', { addresses: [address] })).status).toBe(400)
  })

  it('follows the setting, whoever changes it', async () => {
    await openShared(server, admin)
    const { settings, sharing } = server.context
    await settings.update({ ENABLE_SHARING: false })
    await expect.poll(async () => (await sharing.status()).port).toBe(null)
    await settings.update({ ENABLE_SHARING: true, SHARING_PORT: 18_743 })
    await expect.poll(async () => (await sharing.status()).port).toBe(18_743)
    await settings.update({ SHARING_PORT: null })
    await expect.poll(async () => (await sharing.status()).port).toBe(18_643)
  })

  it('ends by itself after the hours it was given', async () => {
    await openShared(server, admin)
    const { body } = await call('POST', '/on', { hours: 1 })
    expect(body.ends_at).toBeGreaterThan(Date.now() / 1000 + 3500)
    const { storage, sharing, settings } = server.context
    await storage.prepare('update share_state set ends_at = 1').run()
    await sharing.settle()
    expect(await sharing.status()).toMatchObject({ on: false, ends_at: null, port: null })
    expect(settings.get('ENABLE_SHARING')).toBe(false)
  })

  it('shows a certificate of your own, and refuses one that cannot be used', async () => {
    await openShared(server, admin)
    const own = createTestCertificate({ name: 'gateway.example', days: 90 })
    const other = createTestCertificate({ name: 'other.example', days: 90 })
    const over = createTestCertificate({ name: 'gateway.example', days: -1 })
    const bring = (certificate: string, key: string) =>
      call<{ detail?: string }>('POST', '/certificate', { certificate, key })
    expect((await bring(own.cert, other.key)).body.detail).toBe(
      'This key does not belong to the certificate.',
    )
    expect((await bring('nothing', own.key)).body.detail).toMatch(/^This is no certificate/)
    expect((await bring(own.cert, 'nothing')).body.detail).toMatch(/^This is no private key/)
    expect((await bring(over.cert, over.key)).body.detail).toMatch(/^This certificate ended on/)
    const brought = await call('POST', '/certificate', { certificate: own.cert, key: own.key })
    expect(brought.body.certificate).toMatchObject({
      own: true,
      authority_fingerprint: null,
      fingerprint: new X509Certificate(own.cert).fingerprint256,
    })
    const socket = connect({
      port: brought.body.port!,
      host: '127.0.0.1',
      rejectUnauthorized: false,
    })
    await once(socket, 'secureConnect')
    expect(socket.getPeerX509Certificate()!.subject).toBe('CN=gateway.example')
    socket.destroy()
    expect((await server.call('GET', '/api/v1/sharing/authority.crt')).status).toBe(404)
    expect((await call('DELETE', '/certificate')).body.certificate).toMatchObject({ own: false })
  })
})

it('is still on after a restart, and over when its time ended meanwhile', async () => {
  const environment = { SHARING_PORT: '18843' }
  const before = await startTestServer({ environment })
  const token = await before.signUp('Ada')
  const { status } = await openShared(before, token)
  await before.close({ keep: true })
  const between = await startTestServer({ environment, dataDir: before.dataDir })
  expect(await between.context.sharing.status()).toMatchObject({
    on: true,
    port: status.port,
    certificate: status.certificate,
  })
  await between.context.storage.prepare('update share_state set ends_at = 1').run()
  await between.close({ keep: true })
  const after = await startTestServer({ environment, dataDir: before.dataDir })
  expect(await after.context.sharing.status()).toMatchObject({ on: false, port: null })
  await after.close()
})
