import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { allEndpoints } from '#contract/endpoints.ts'
import { listeningAddresses } from './guard.ts'
import {
  ADMIN,
  bearer,
  startTestGateway,
  type TestGateway,
} from '../../testing/start-auth-gateway.ts'

let gateway: TestGateway
beforeEach(async () => (gateway = await startTestGateway()))
afterEach(() => gateway.close())

/** Sends bytes unchanged, since a client library would normalise them. */
function sendRaw(text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(gateway.port, '127.0.0.1', () => socket.end(text))
    let answer = ''
    socket.setEncoding('latin1').on('data', (part: string) => (answer += part))
    socket.on('end', () => resolve(Number(answer.slice(9, 12)))).on('error', reject)
  })
}
const statusFor = (host: string): Promise<number> =>
  sendRaw(`GET /api/v1/auths/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

/** In every form `P` stands for the port of the gateway. */
const FOREIGN_HOSTS = [
  'evil.com',
  'evil.com:P',
  'EVIL.com:P',
  'evil.com.:P',
  'localhost.:P',
  'localhost',
  'localhost:1',
  'localhost:80',
  'localhost:0P',
  'localhost:P1',
  'localhost:',
  'localhost:-1',
  'localhost:P:P',
  'localhost:P@evil.com',
  'evil.com@localhost:P',
  'user:pass@localhost:P',
  'user@127.0.0.1:P',
  'localhost.evil.com:P',
  'evil-localhost:P',
  'xlocalhost:P',
  'localhost.localdomain:P',
  'a.localhost:P',
  'localhost/:P',
  'localhost:P/',
  'localhost:P?',
  'localhost:P#',
  'localhost\\:P',
  'localhost:P,evil.com',
  'localhost%00:P',
  'localhost%2eevil.com:P',
  'localhost;evil.com:P',
  'local host:P',
  '127.0.0.1',
  '127.0.0.1:1',
  '127.0.0.1.:P',
  '127.0.0.1.evil.com:P',
  '127.evil.com:P',
  '127.0.0.2:P',
  '127.1:P',
  '127.0.1:P',
  '0127.0.0.1:P',
  '0x7f.0.0.1:P',
  '0x7f000001:P',
  '2130706433:P',
  '017700000001:P',
  '0.0.0.0:P',
  '0:P',
  '１２７.0.0.1:P',
  '[::1]',
  '[::1]:1',
  '[::]:P',
  '[0:0:0:0:0:0:0:1]:P',
  '[::ffff:127.0.0.1]:P',
  '[::1%lo]:P',
  '::1:P',
  '[::1:P',
  '169.254.169.254:P',
  '192.168.0.1:P',
  'gateway.local:P',
  'gateway.internal:P',
  'http://localhost:P',
  '*:P',
  '.:P',
]

describe('the Host of a request', () => {
  it('row 125 and 131: refuses every foreign form, whatever it resembles', async () => {
    expect(FOREIGN_HOSTS.length).toBeGreaterThanOrEqual(60)
    for (const form of FOREIGN_HOSTS) {
      expect([form, await statusFor(form.replaceAll('P', String(gateway.port)))]).toSatisfy(
        ([, status]) => status === 403 || status === 400,
      )
    }
  })

  it('row 126: refuses a foreign Host on every kind of path', async () => {
    for (const path of [
      '/',
      '/index.html',
      '/api/version',
      '/api/config',
      '/api/chat/completions',
      '/ws',
      '/nothing',
      '/api/v1/auths/signin',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD']) {
        expect((await gateway.call(path, { method, headers: { host: 'evil.com' } })).status).toBe(
          403,
        )
      }
    }
  })

  it('answers 400 without exactly one Host and to a target that is a whole address', async () => {
    const own = `127.0.0.1:${gateway.port}`
    expect(await sendRaw('GET /api/config HTTP/1.0\r\n\r\n')).toBe(400)
    expect(await sendRaw('GET /api/config HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toBe(
      400,
    )
    expect(
      await sendRaw(
        `GET /api/config HTTP/1.1\r\nHost: ${own}\r\nHost: evil.com\r\nConnection: close\r\n\r\n`,
      ),
    ).toBe(400)
    expect(
      await sendRaw(
        `GET http://evil.com/health HTTP/1.1\r\nHost: ${own}\r\nConnection: close\r\n\r\n`,
      ),
    ).toBe(400)
  })

  it('answers health checks whatever their Host, because monitors use other names or none', async () => {
    for (const path of ['/health', '/health/', '/health?from=monitor', '/health/db', '/ready'])
      for (const method of ['GET', 'HEAD']) {
        const sent = { method, headers: { host: 'gateway.internal' } }
        expect([path, (await gateway.call(path, sent)).status]).toEqual([path, 200])
      }
    expect(await sendRaw('GET /health HTTP/1.0\r\n\r\n')).toBe(200)
    expect(await sendRaw('HEAD /ready HTTP/1.0\r\n\r\n')).toBe(200)
  })

  it('lets nothing else pass for a health check', async () => {
    const own = `127.0.0.1:${gateway.port}`
    for (const path of ['/healthy', '/health/x', '/ready/../api/config', '/api/config?/health'])
      expect((await gateway.call(path, { headers: { host: 'evil.com' } })).status, path).toBe(403)
    for (const header of ['cookie', 'origin', 'sec-fetch-site'])
      expect(
        (await gateway.call('/health', { headers: { host: 'evil.com', [header]: 'x' } })).status,
        header,
      ).toBe(403)
    for (const method of ['POST', 'DELETE', 'OPTIONS'])
      expect(
        (await gateway.call('/health', { method, headers: { host: 'evil.com' } })).status,
      ).toBe(403)
    expect(
      (await gateway.call('/health', { headers: { host: own, origin: 'https://evil.com' } }))
        .status,
    ).toBe(403)
    expect(
      await sendRaw(
        `GET /health HTTP/1.1\r\nHost: ${own}\r\nHost: evil.com\r\nConnection: close\r\n\r\n`,
      ),
    ).toBe(400)
  })

  it('accepts the names of this computer with the port the gateway listens on', async () => {
    for (const name of ['localhost', 'LocalHost', '127.0.0.1', '[::1]'])
      expect(await statusFor(`${name}:${gateway.port}`)).toBe(401)
  })

  it('accepts the host of WEBUI_URL, with or without its default port', async () => {
    await gateway.settings.update({ WEBUI_URL: 'https://chat.example.org' })
    expect(await statusFor('chat.example.org')).toBe(401)
    expect(await statusFor('chat.example.org:443')).toBe(401)
    expect(await statusFor('chat.example.org:8443')).toBe(403)
    expect(await statusFor('www.chat.example.org')).toBe(403)
  })

  it('knows the address it is bound to, but no name for all interfaces', () => {
    expect(listeningAddresses('192.168.1.5', 8642)).toContain('192.168.1.5:8642')
    expect(listeningAddresses('fd00::5', 8642)).toContain('[fd00::5]:8642')
    expect([...listeningAddresses('0.0.0.0', 8642)]).toEqual([
      'localhost:8642',
      '127.0.0.1:8642',
      '[::1]:8642',
    ])
  })
})

describe('the Origin of a request', () => {
  const withOrigin = (origin: string, path = '/health') =>
    gateway.call(path, { headers: { origin } })

  it('row 128: refuses foreign pages, pages without an origin and look-alikes', async () => {
    const { port } = gateway
    const foreign = [
      'https://evil.com',
      'null',
      '',
      `http://evil.com:${port}`,
      `http://localhost:${port + 1}`,
      'http://localhost',
    ]
    const odd = [
      `http://localhost:${port}/x`,
      `http://u@localhost:${port}`,
      `file://localhost:${port}`,
      `localhost:${port}`,
    ]
    for (const origin of [...foreign, ...odd])
      expect([origin, (await withOrigin(origin)).status]).toEqual([origin, 403])
  })

  it('lets the isolated frames load their public script without an origin, and nothing else', async () => {
    expect((await withOrigin('null', '/frames/diagram.js')).status).not.toBe(403)
    for (const path of [
      '/',
      '/api/config',
      '/frames/x/y.js',
      '/framesx/diagram.js',
      '/frames/diagram.js?x=/frames/a.js',
    ]) {
      expect([path, (await withOrigin('null', path)).status]).toEqual([path, 403])
    }
    const post = await gateway.call('/frames/diagram.js', {
      method: 'POST',
      headers: { origin: 'null' },
    })
    expect(post.status).toBe(403)
  })

  it('accepts its own pages', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      expect((await withOrigin(`http://${name}:${gateway.port}`)).status).toBe(200)
    }
    await gateway.settings.update({ WEBUI_URL: 'https://chat.example.org' })
    expect((await withOrigin('https://chat.example.org')).status).toBe(200)
  })

  it('lets pages listed in CORS_ALLOW_ORIGIN read answers, and nobody else', async () => {
    const origin = 'https://app.example.org'
    await gateway.settings.update({ CORS_ALLOW_ORIGIN: [origin] })
    const reply = await withOrigin(origin)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
    const own = await withOrigin(`http://localhost:${gateway.port}`)
    expect(own.headers['access-control-allow-origin']).toBeUndefined()
    expect((await withOrigin('https://app.example.org.evil.com')).status).toBe(403)
  })

  it('answers the preflight of a listed page', async () => {
    await gateway.settings.update({ CORS_ALLOW_ORIGIN: ['https://app.example.org'] })
    const preflight = (origin: string) =>
      gateway.call('/api/chat/completions', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, content-type',
        },
      })
    const reply = await preflight('https://app.example.org')
    expect(reply.status).toBe(204)
    expect(reply.headers['access-control-allow-headers']).toBe('authorization, content-type')
    const allowed = new Set(reply.headers['access-control-allow-methods']!.split(', '))
    expect(
      [...new Set(allEndpoints.map(({ method }) => method))].filter(
        (method) => !allowed.has(method),
      ),
    ).toEqual([])
    expect((await preflight('https://evil.com')).status).toBe(403)
  })
})

describe('calls with the cookie', () => {
  const FOREIGN: Record<string, string>[] = [
    { origin: 'https://evil.com' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  const change = (headers: Record<string, string>) =>
    gateway.call('/api/v1/auths/update/profile', { body: { name: 'Changed' }, headers })

  it('row 127: a foreign page changes nothing', async () => {
    const session = await gateway.signUp()
    const cookie = `token=${session.token}`
    for (const headers of FOREIGN) {
      expect((await change({ cookie, ...headers })).status).toBe(403)
      for (const method of ['GET', 'POST']) {
        const reply = await gateway.call('/api/v1/auths/signout', {
          method,
          headers: { cookie, ...headers },
        })
        expect(reply.status).toBe(403)
      }
      expect(
        (
          await gateway.call('/api/v1/auths/api_keys', {
            body: { name: 'x' },
            headers: { cookie, ...headers },
          })
        ).status,
      ).toBe(403)
    }
    const me = await gateway.call('/api/v1/auths/', { headers: bearer(session) })
    expect(me.body.name).toBe(ADMIN.name)
  })

  it('its own pages and programs that are no browser may use it', async () => {
    const session = await gateway.signUp()
    const cookie = `token=${session.token}`
    const own: Record<string, string>[] = [
      { origin: `http://127.0.0.1:${gateway.port}` },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      {},
    ]
    for (const headers of own) expect((await change({ cookie, ...headers })).status).toBe(200)
  })

  it('a Bearer token needs no origin check, because no page can add it by itself', async () => {
    const session = await gateway.signUp()
    expect((await change({ ...bearer(session), 'sec-fetch-site': 'cross-site' })).status).toBe(200)
  })
})
