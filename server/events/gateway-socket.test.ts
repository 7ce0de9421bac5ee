import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startConversation, type Conversation } from '../testing/start-conversation.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation({
    environment: { ENABLE_API_KEYS: 'true', USER_PERMISSIONS_FEATURES_API_KEYS: 'true' },
  })
})
afterAll(() => conversation.close())

const call = (...given: Parameters<Conversation['server']['call']>) =>
  conversation.server.call(...given)

function open(headers: Record<string, string> = {}) {
  const webSocket = new WebSocket(`${conversation.server.url.replace('http', 'ws')}/ws`, {
    headers,
  })
  webSocket.on('error', () => undefined)
  const frames: Record<string, unknown>[] = []
  webSocket.on('message', (data) =>
    frames.push(JSON.parse((data as Buffer).toString()) as Record<string, unknown>),
  )
  const closed = once(webSocket, 'close').then(([code]) => code as number)
  const refused = new Promise<number>((resolve) =>
    webSocket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0)),
  )
  const ready = async () => {
    await expect.poll(() => frames[0]?.['type']).toBe('ready')
  }
  return { webSocket, frames, closed, refused, ready }
}

async function signInWithFrame(token: string) {
  const socket = open()
  await once(socket.webSocket, 'open')
  socket.webSocket.send(JSON.stringify({ type: 'auth', token }))
  return socket
}

const userIdOf = (socket: ReturnType<typeof open>) =>
  (socket.frames[0]!['user'] as { id: string }).id

test('A session token and an API key both sign a socket in, by header and by first frame', async () => {
  const { api_key: key } = (await (
    await call('POST', '/api/v1/auths/api_keys', {
      token: conversation.token,
      body: { name: 'socket' },
    })
  ).json()) as {
    api_key: string
  }
  for (const token of [conversation.token, key]) {
    for (const socket of [
      open({ Authorization: `Bearer ${token}` }),
      await signInWithFrame(token),
    ]) {
      await socket.ready()
      expect(socket.frames[0]).toMatchObject({ user: { name: 'Ada', role: 'admin' } })
    }
  }
})

test('row 128: a foreign or null Origin is refused with 403 before the upgrade, whatever the credential', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
    expect(
      await open({
        Origin: origin,
        Cookie: `token=${conversation.token}`,
        Authorization: `Bearer ${conversation.token}`,
      }).refused,
    ).toBe(403)
  }
})

test('The cookie opens a socket from our own page, and not from a program that sends no Origin', async () => {
  const page = open({ Origin: conversation.server.url, Cookie: `token=${conversation.token}` })
  await page.ready()
  const program = open({ Cookie: `token=${conversation.token}` })
  await once(program.webSocket, 'open')
  program.webSocket.send(JSON.stringify({ type: 'ping' }))
  expect(await program.closed).toBe(4401)
})

test('row 126: a foreign Host is refused, another path answers 404', async () => {
  expect(await open({ Host: 'evil.example' }).refused).toBe(403)
  const lost = new WebSocket(`${conversation.server.url.replace('http', 'ws')}/wss`)
  lost.on('error', () => undefined)
  const [, response] = (await once(lost, 'unexpected-response')) as [
    unknown,
    { statusCode: number },
  ]
  expect(response.statusCode).toBe(404)
})

test('row 51: an account waiting for approval cannot open a socket', async () => {
  const body = {
    name: 'Pat',
    email: 'pat@example.com',
    password: 'correct horse battery',
    role: 'pending',
  }
  const { token } = (await (
    await call('POST', '/api/v1/auths/add', { token: conversation.token, body })
  ).json()) as { token: string }
  const socket = await signInWithFrame(token)
  expect(await socket.closed).toBe(4401)
})

test('row 50: signing out closes the sockets of that session with 4403', async () => {
  const token = await conversation.addUser('Olga')
  const socket = await signInWithFrame(token)
  await socket.ready()
  await call('POST', '/api/v1/auths/signout', { token })
  expect(await socket.closed).toBe(4403)
})

test('row 50: changing the role and deleting the account close the sockets with 4403', async () => {
  for (const [name, revoke] of [
    [
      'Rolf',
      (id: string) =>
        call('POST', `/api/v1/users/${id}/update`, {
          token: conversation.token,
          body: { role: 'pending' },
        }),
    ],
    ['Dora', (id: string) => call('DELETE', `/api/v1/users/${id}`, { token: conversation.token })],
  ] as const) {
    const socket = await signInWithFrame(await conversation.addUser(name))
    await socket.ready()
    const response = await revoke(userIdOf(socket))
    expect(response.status).toBe(200)
    expect(await socket.closed).toBe(4403)
  }
})

test('Revoking an API key closes the sockets it opened, and leaves those of the session open', async () => {
  const token = await conversation.addUser('Kim')
  const created = (await (
    await call('POST', '/api/v1/auths/api_keys', { token, body: { name: 'k' } })
  ).json()) as {
    id: string
    api_key: string
  }
  const [byKey, bySession] = [await signInWithFrame(created.api_key), await signInWithFrame(token)]
  await Promise.all([byKey.ready(), bySession.ready()])
  await call('DELETE', `/api/v1/auths/api_keys/${created.id}`, { token })
  expect(await byKey.closed).toBe(4403)
  expect(bySession.webSocket.readyState).toBe(WebSocket.OPEN)
})
