import { once } from 'node:events'
import { request as openRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { SOCKET_CLOSE } from '#contract/events.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let token: string
let key: string
beforeAll(async () => {
  server = await startTestServer({ environment: { ENABLE_API_KEYS: 'true' } })
  token = await server.signUp('Ada')
  const issued = await server.call('POST', '/api/v1/auths/api_key', { token })
  key = ((await issued.json()) as { api_key: string }).api_key
})
afterAll(() => server.close())

/**
 * Simulates a tunnel: the connection comes to this computer, but the host named in the request is
 * another one.
 */
async function statusOf(
  path: string,
  headers: Record<string, string>,
  host = 'box.example:8443',
): Promise<number> {
  const { port } = new URL(server.url)
  const sent = openRequest({
    host: '127.0.0.1',
    port,
    path,
    headers: { Host: host, ...headers },
    agent: false,
  }).end()
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  reply.resume()
  return reply.statusCode!
}

describe('A call that names another Host', () => {
  it('is answered when its key or token is right', async () => {
    const proofs: Record<string, string>[] = [
      { Authorization: `Bearer ${token}` },
      { Authorization: `Bearer ${key}` },
      { 'x-api-key': key },
    ]
    for (const headers of proofs) {
      expect(await statusOf('/api/models', headers)).toBe(200)
      expect(await statusOf('/api/v1/users/user/settings', headers)).toBe(200)
    }
  })

  it('is answered when its key comes in the header an administrator named', async () => {
    await server.context.settings.update({ CUSTOM_API_KEY_HEADER: 'X-Gate-Key' })
    try {
      expect(await statusOf('/api/models', { 'x-gate-key': key })).toBe(200)
      expect(await statusOf('/api/version', { 'x-gate-key': key })).toBe(200)
      expect(await statusOf('/api/version', { 'x-gate-key': 'sk-wrong' })).toBe(403)
      expect(await statusOf('/api/models', { Cookie: 'a=b', 'x-gate-key': key })).toBe(403)
    } finally {
      await server.context.settings.update({ CUSTOM_API_KEY_HEADER: null })
    }
  })

  it.each([
    ['no credential', {}],
    ['the cookie of a browser', () => ({ Cookie: `token=${token}` })],
    ['a key beside a cookie', () => ({ Cookie: 'a=b', Authorization: `Bearer ${key}` })],
    [
      'a key from a page',
      () => ({ Origin: 'http://box.example:8443', Authorization: `Bearer ${key}` }),
    ],
    [
      'a key that a browser sends',
      () => ({ 'Sec-Fetch-Site': 'same-origin', Authorization: `Bearer ${key}` }),
    ],
  ])('is refused with %s', async (_, headers) => {
    const given = typeof headers === 'function' ? headers() : headers
    for (const path of ['/api/models', '/api/version', '/api/config', '/'])
      expect(await statusOf(path, given), path).toBe(403)
  })

  it('reaches nothing with a wrong key, not even what needs none', async () => {
    const wrong = { Authorization: 'Bearer sk-00000000000000000000000000000000' }
    expect(await statusOf('/api/models', wrong)).toBe(401)
    for (const path of ['/api/version', '/api/config'])
      expect(await statusOf(path, wrong), path).toBe(403)
  })
})

/**
 * Resolves with the first thing received over a socket: the type of a frame, the status of a
 * refusal, or the close code.
 */
function firstOver(headers: Record<string, string>, frame?: object): Promise<string | number> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, {
    headers: { Host: 'box.example:8443', ...headers },
  })
  return new Promise<string | number>((resolve) => {
    if (frame) socket.on('open', () => socket.send(JSON.stringify(frame)))
    socket.on('message', (data: Buffer) =>
      resolve((JSON.parse(data.toString('utf8')) as { type: string }).type),
    )
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('close', resolve)
    socket.on('error', () => undefined)
  }).finally(() => socket.terminate())
}

describe('A socket that names another Host', () => {
  it('is opened when its key or token is right', async () => {
    for (const proof of [token, key])
      expect(await firstOver({ Authorization: `Bearer ${proof}` })).toBe('ready')
  })

  it.each([
    ['no credential', () => ({})],
    ['a wrong key', () => ({ Authorization: 'Bearer sk-00000000000000000000000000000000' })],
    [
      'the cookie of a browser',
      () => ({ Cookie: `token=${token}`, Origin: 'http://box.example:8443' }),
    ],
    ['a key beside a cookie', () => ({ Cookie: 'a=b', Authorization: `Bearer ${key}` })],
    [
      'a key from a page',
      () => ({ Origin: 'http://box.example:8443', Authorization: `Bearer ${key}` }),
    ],
    [
      'a key that a browser sends',
      () => ({ 'Sec-Fetch-Site': 'same-origin', Authorization: `Bearer ${key}` }),
    ],
  ])('is refused with %s, whatever its first frame would say', async (_, headers) => {
    expect(await firstOver(headers(), { type: 'auth', token })).toBe(403)
  })

  it('ends with the account that waits for approval, as everywhere', async () => {
    const { users } = server.context
    const { id } = await users.create({
      name: 'Eve',
      email: 'eve@example.com',
      role: 'user',
      passwordHash: await users.hashPassword('a long password'),
    })
    const body = { email: 'eve@example.com', password: 'a long password' }
    const signedIn = await server.call('POST', '/api/v1/auths/signin', { body })
    const { token: theirs } = (await signedIn.json()) as { token: string }
    expect(await firstOver({ Authorization: `Bearer ${theirs}` })).toBe('ready')
    await users.update(id, { role: 'pending' })
    expect([403, SOCKET_CLOSE.unauthenticated]).toContain(
      await firstOver({ Authorization: `Bearer ${theirs}` }),
    )
  })
})
