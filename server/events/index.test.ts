import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { anEvent, bearer, startSocketHub } from '../testing/start-socket-hub.ts'

test('A socket with an Authorization header is ready at once and learns its session and user', async () => {
  const { events, open } = await startSocketHub()
  const ready = await open(bearer('ada')).next()
  expect(ready).toMatchObject({
    type: 'ready',
    user: { id: 'ada', name: 'Name of ada', role: 'user' },
  })
  expect(events.hasSession(ready['session_id'] as string, 'ada')).toBe(true)
})

test('Without a header the first frame signs in, and frames sent together with it are not lost', async () => {
  const { open } = await startSocketHub()
  const socket = open()
  await socket.opened()
  socket.send({ type: 'auth', token: 'ada' })
  socket.send({ type: 'ping' })
  expect(await socket.next()).toMatchObject({ type: 'ready', user: { id: 'ada' } })
  expect(await socket.next()).toEqual({ type: 'pong' })
})

test.each([
  ['a refused token', { type: 'auth', token: 'bad' }],
  ['another frame first', { type: 'ping' }],
  ['text that is not JSON', 'hello'],
  ['an auth frame without token', { type: 'auth' }],
])('%s closes the socket with 4401', async (_, frame) => {
  const { open } = await startSocketHub()
  const socket = open()
  await socket.opened()
  socket.send(frame)
  expect(await socket.closed()).toBe(4401)
})

test('A socket without a credential within the time is closed with 4401', async () => {
  const { open } = await startSocketHub({ authMs: 50 })
  expect(await open().closed()).toBe(4401)
})

test('row 51: an account waiting for approval cannot open a socket, by header or by frame', async () => {
  const { open } = await startSocketHub()
  expect(await open(bearer('pending-pat')).closed()).toBe(4401)
  const socket = open()
  await socket.opened()
  socket.send({ type: 'auth', token: 'pending-pat' })
  expect(await socket.closed()).toBe(4401)
})

test('row 128: a cookie alone never opens a socket, a cookie with a checked Origin does', async () => {
  const { open, port } = await startSocketHub({ authMs: 50 })
  expect(await open({ cookie: 'token=ada' }).closed()).toBe(4401)
  const socket = open({ cookie: 'token=ada', origin: `http://127.0.0.1:${port}` })
  expect(await socket.next()).toMatchObject({ type: 'ready' })
})

test('A refused header leaves the first frame as second chance', async () => {
  const { open } = await startSocketHub()
  const socket = open(bearer('bad-throws'))
  await socket.opened()
  socket.send({ type: 'auth', token: 'ada' })
  expect(await socket.next()).toMatchObject({ type: 'ready' })
})

test('An event reaches every socket of its user and nobody else', async () => {
  const { events, open } = await startSocketHub()
  const [first, second, other] = [open(bearer('ada')), open(bearer('ada')), open(bearer('bob'))]
  await Promise.all([first.next(), second.next(), other.next()])
  events.emit('ada', anEvent('status', { description: 'Ünïcode 🦊' }))
  events.emit('nobody', anEvent('status'))
  const expected = {
    type: 'events',
    chat_id: 'chat',
    message_id: 'message',
    data: { type: 'status', data: { description: 'Ünïcode 🦊' } },
  }
  expect(await first.next()).toEqual(expected)
  expect(await second.next()).toEqual(expected)
  other.send({ type: 'ping' })
  expect(await other.next()).toEqual({ type: 'pong' })
})

test.each([1, 30, 125, 126, 5000, 65_000, 70_000, 900_000])(
  'An event with %i characters arrives whole, between frames of the socket itself',
  async (length) => {
    const { events, open } = await startSocketHub()
    const socket = open(bearer('ada'))
    await socket.next()
    socket.send({ type: 'ping' })
    events.emit('ada', anEvent('status', 'x'.repeat(length) + '🦊'))
    const [first, second] = [await socket.next(), await socket.next()]
    const [event, pong] = first['type'] === 'events' ? [first, second] : [second, first]
    expect(event).toMatchObject({ data: { data: 'x'.repeat(length) + '🦊' } })
    expect(pong).toEqual({ type: 'pong' })
  },
)

test('row 49: a session belongs to its user and to no other', async () => {
  const { events, open } = await startSocketHub()
  const socket = open(bearer('ada'))
  const { session_id: session } = await socket.next()
  expect(events.hasSession(session as string, 'bob')).toBe(false)
  await expect(
    events.call(
      session as string,
      'bob',
      { chat_id: 'c', message_id: 'm', data: { type: 'input', data: {} } },
      { timeoutMs: 1000 },
    ),
  ).rejects.toThrow('no longer connected')
  socket.webSocket.close()
  await socket.closed()
  await expect.poll(() => events.hasSession(session as string, 'ada')).toBe(false)
})

test('row 50: revoking a user closes the sockets with 4403, and a revoked one is refused at its next frame', async () => {
  const { auth, open } = await startSocketHub()
  const [told, untold] = [open(bearer('ada')), open(bearer('bob'))]
  await Promise.all([told.next(), untold.next()])
  auth.revoke('ada')
  expect(await told.closed()).toBe(4403)
  auth.revoke('bob', false)
  untold.send({ type: 'ping' })
  expect(await untold.closed()).toBe(4403)
})

test('A credential that ends silently is noticed by the next keep-alive', async () => {
  const { auth, open } = await startSocketHub({ pingMs: 30 })
  const socket = open(bearer('ada'))
  await socket.next()
  auth.revoke('ada', false)
  expect(await socket.closed()).toBe(4403)
})

test('Unknown frames and bad JSON get an error frame, binary frames close the socket', async () => {
  const { open } = await startSocketHub()
  const socket = open(bearer('ada'))
  await socket.next()
  for (const frame of [
    '{',
    'null',
    '[]',
    '{"type":"execute"}',
    '{"type":"focus","focused":"yes"}',
    '"ping"',
  ]) {
    socket.send(frame)
    expect(await socket.next()).toEqual({
      type: 'error',
      detail: 'This is not a frame the gateway knows.',
    })
  }
  socket.webSocket.send(Buffer.from('{"type":"ping"}'), { binary: true })
  expect(await socket.closed()).toBe(1003)
})

test('A frame over 1 MiB closes the socket with 1009', async () => {
  const { open } = await startSocketHub()
  const socket = open(bearer('ada'))
  await socket.next()
  socket.send('x'.repeat(1024 * 1024 + 1))
  expect(await socket.closed()).toBe(1009)
})

const rich = {
  values: Array(21_000).fill(0) as unknown[],
  levels: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown[],
}

test.each(['values', 'levels'] as const)(
  'A frame with too many %s closes the socket with 1009, or does not sign in',
  async (what) => {
    const { open } = await startSocketHub()
    const socket = open(bearer('ada'))
    await socket.next()
    socket.send({ type: 'ping', extra: rich[what] })
    expect(await socket.closed()).toBe(1009)
    const stranger = open()
    await stranger.opened()
    stranger.send({ type: 'auth', token: 'ada', extra: rich[what] })
    expect(await stranger.closed()).toBe(4401)
  },
)

test('A flood of frames closes the socket', async () => {
  const { open } = await startSocketHub()
  const socket = open(bearer('ada'))
  await socket.next()
  for (let count = 0; count < 200; count += 1) socket.send({ type: 'ping' })
  expect(await socket.closed()).toBe(1008)
})

test('Focus is known per user while one of the windows has it', async () => {
  const { events, open } = await startSocketHub()
  const socket = open(bearer('ada'))
  await socket.next()
  socket.send({ type: 'focus', focused: true })
  await expect.poll(() => events.isFocused('ada')).toBe(true)
  expect(events.isFocused('bob')).toBe(false)
  socket.webSocket.close()
  await expect.poll(() => events.isFocused('ada')).toBe(false)
})

const aCall = {
  chat_id: 'c',
  message_id: 'm',
  data: { type: 'input', data: { title: 'Name?' } },
} as const

test('A call goes to one session only and its answer comes back', async () => {
  const { events, open } = await startSocketHub()
  const [asked, other] = [open(bearer('ada')), open(bearer('ada'))]
  const { session_id: session } = await asked.next()
  await other.next()
  const answer = events.call(session as string, 'ada', aCall, { timeoutMs: 5000 })
  const frame = await asked.next()
  expect(frame).toMatchObject({ type: 'call', ...aCall })
  other.send({ type: 'call:result', call_id: frame['call_id'], result: 'from the wrong window' })
  other.send({ type: 'ping' })
  expect(await other.next()).toEqual({ type: 'pong' })
  asked.send({ type: 'call:result', call_id: frame['call_id'], result: { value: 42 } })
  asked.send({ type: 'call:result', call_id: frame['call_id'], result: 'twice' })
  expect(await answer).toEqual({ value: 42 })
})

test('A call rejects on an error answer, on timeout and on a closed window', async () => {
  const { events, open } = await startSocketHub()
  const socket = open(bearer('ada'))
  const session = (await socket.next())['session_id'] as string
  const refused = events.call(session, 'ada', aCall, { timeoutMs: 5000 })
  socket.send({
    type: 'call:error',
    call_id: (await socket.next())['call_id'],
    error: 'The person said no.',
  })
  await expect(refused).rejects.toThrow('The person said no.')
  await expect(events.call(session, 'ada', aCall, { timeoutMs: 20 })).rejects.toThrow(
    'No window answered in time.',
  )
  expect(await socket.next()).toMatchObject({ type: 'call' })
  expect(await socket.next()).toMatchObject({ type: 'call:cancel' })
  const abandoned = events.call(session, 'ada', aCall, { timeoutMs: 5000 })
  socket.webSocket.terminate()
  await expect(abandoned).rejects.toThrow('was closed')
})

test('A call nobody waits for any more is taken back, and its late answer goes nowhere', async () => {
  const { events, open } = await startSocketHub()
  const socket = open(bearer('ada'))
  const session = (await socket.next())['session_id'] as string
  const stop = new AbortController()
  const stopped = events.call(session, 'ada', aCall, { timeoutMs: 5000, signal: stop.signal })
  const { call_id: callId } = await socket.next()
  stop.abort()
  await expect(stopped).rejects.toThrow('The call was stopped.')
  expect(await socket.next()).toEqual({ type: 'call:cancel', call_id: callId })
  socket.send({ type: 'call:result', call_id: callId, result: 'too late' })
  await expect(
    events.call(session, 'ada', aCall, { timeoutMs: 5000, signal: stop.signal }),
  ).rejects.toThrow('stopped')
  socket.send({ type: 'ping' })
  expect(await socket.next()).toEqual({ type: 'pong' })
})

test('A socket that answers no ping is dropped', async () => {
  const { events, port } = await startSocketHub({ pingMs: 40 })
  const deaf = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    headers: bearer('ada'),
    autoPong: false,
  })
  deaf.on('error', () => undefined)
  const [data] = (await once(deaf, 'message')) as [Buffer]
  const { session_id: session } = JSON.parse(data.toString()) as { session_id: string }
  await once(deaf, 'close')
  expect(events.hasSession(session, 'ada')).toBe(false)
})

test('row R24: a socket that does not read is skipped with bounded memory and dropped with 4408, others get everything', async () => {
  const { events, open } = await startSocketHub({ stalledMs: 300 })
  const [slow, quick] = [open(bearer('ada')), open(bearer('ada'))]
  await Promise.all([slow.next(), quick.next()])
  slow.webSocket.pause()
  const payload = 'x'.repeat(256 * 1024)
  for (let count = 0; count < 80; count += 1) {
    events.emit('ada', anEvent('status', { payload }))
    await quick.next()
  }
  await new Promise((resolve) => setTimeout(resolve, 400))
  slow.webSocket.resume()
  expect(await slow.closed()).toBe(4408)
  expect(slow.frames.length).toBeLessThan(80)
  events.emit('ada', anEvent('status', 'after'))
  expect(await quick.next()).toMatchObject({ data: { data: 'after' } })
})

test('row 99: odd handshakes are refused and the hub goes on serving', async () => {
  const { port, open } = await startSocketHub()
  const oddities = [
    'Sec-WebSocket-Key: short',
    'Sec-WebSocket-Version: 7',
    `Sec-WebSocket-Extensions: ${'a,'.repeat(2000)}`,
    'Sec-WebSocket-Protocol: ,,,',
  ]
  const handshake = (extra: string) =>
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${extra}\r\n\r\n`
  for (let round = 0; round < 200; round += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.end(handshake(oddities[round % oddities.length]!))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 4\d\d /)
    socket.destroy()
  }
  expect(await open(bearer('ada')).next()).toMatchObject({ type: 'ready' })
})

test('Closing the hub tells every socket that the gateway goes away', async () => {
  const { events, open } = await startSocketHub()
  const socket = open(bearer('ada'))
  await socket.next()
  events.close()
  expect(await socket.closed()).toBe(1001)
})

test('A socket beyond those an account may have is closed with the number and the setting; another account gets its own', async () => {
  const { events, open } = await startSocketHub()
  const sockets = Array.from({ length: 12 }, () => open(bearer('ada')))
  for (const socket of sockets) expect(await socket.next()).toMatchObject({ type: 'ready' })
  const refused = open(bearer('ada'))
  const [code, reason] = (await once(refused.webSocket, 'close')) as [number, Buffer]
  expect([code, reason.toString()]).toEqual([
    4429,
    expect.stringMatching(/has 12 sockets.*WEBSOCKET_MAX_PER_ACCOUNT/),
  ])
  expect(await open(bearer('bob')).next()).toMatchObject({ type: 'ready' })
  sockets[0]!.webSocket.close()
  await sockets[0]!.closed()
  await expect
    .poll(async () => (await open(bearer('ada')).next())['type'], { timeout: 2000 })
    .toBe('ready')
  events.emit('ada', anEvent('status'))
})

test('An address whose sockets do not say who they are gets no more of them than fit', async () => {
  const { open } = await startSocketHub()
  const silent = Array.from({ length: 60 }, () => open())
  await expect
    .poll(() => silent.filter(({ webSocket }) => webSocket.readyState === WebSocket.CLOSED).length)
    .toBe(10)
})

test('A long event to many sockets is written in turns with other work, whole and in its order', async () => {
  const { events, open } = await startSocketHub()
  const sockets = Array.from({ length: 12 }, () => open(bearer('ada')))
  for (const socket of sockets) await socket.next()
  let turns = 0
  const timer = setImmediate(function count() {
    turns += 1
    if (turns < 1000) setImmediate(count)
  })
  onTestFinished(() => clearImmediate(timer))
  const before = turns
  events.emit('ada', anEvent('long', 'x'.repeat(400_000)))
  events.emit('ada', anEvent('second'))
  events.emit('bob', anEvent('elsewhere'))
  for (const socket of sockets) {
    expect((await socket.next())['data']).toEqual({ type: 'long', data: 'x'.repeat(400_000) })
    expect((await socket.next())['data']).toMatchObject({ type: 'second' })
  }
  expect(turns - before).toBeGreaterThan(3)
})

test('Events of one user that wait to be written are bounded: what does not fit is left out', async () => {
  const { events, open } = await startSocketHub()
  const socket = open(bearer('ada'))
  await socket.next()
  for (let count = 0; count < 60; count += 1)
    events.emit('ada', anEvent(`long ${count}`, 'x'.repeat(900_000)))
  await expect.poll(() => socket.frames.length).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 100))
  events.emit('ada', anEvent('later'))
  await expect.poll(() => socket.frames.at(-1)?.['data']).toMatchObject({ type: 'later' })
  expect(socket.frames.length).toBeLessThan(30)
})

test('An event of a tool that is longer than allowed is refused with the size and the setting', async () => {
  const { events } = await startSocketHub()
  expect(() =>
    events.limits.requireFit({ type: 'status', data: 'x'.repeat(1024 * 1024 - 100) }),
  ).not.toThrow()
  expect(() => events.limits.requireFit({ type: 'status', data: 'x'.repeat(1024 * 1024) })).toThrow(
    /"status" is larger than the 1 MiB.*WEBSOCKET_MAX_EVENT_SIZE/,
  )
})
