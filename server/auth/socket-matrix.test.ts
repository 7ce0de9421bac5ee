import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { clientFrameSchema, SOCKET_CLOSE, type ClientFrame } from '#contract/events.ts'
import { bearer } from '../testing/start-auth-gateway.ts'
import { createWorld, type World } from '../testing/create-world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.server.close())

/** One frame of each type a client may send. A type without a row fails. */
const FRAMES: { readonly [Type in ClientFrame['type']]: Extract<ClientFrame, { type: Type }> } = {
  auth: { type: 'auth', token: 'nonsense' },
  ping: { type: 'ping' },
  focus: { type: 'focus', focused: true },
  'call:result': { type: 'call:result', call_id: 'foreign', result: 1 },
  'call:error': { type: 'call:error', call_id: 'foreign', error: 'no' },
  channel: { type: 'channel', channel_id: 'foreign', data: { type: 'typing' } },
}

/** A socket whose frames and end can be waited for in order. */
function open(headers: Record<string, string>): {
  send(frame: object): void
  next(): Promise<string | number>
  close(): void
} {
  const socket = new WebSocket(`${world.server.url.replace('http', 'ws')}/ws`, { headers })
  const heard: (string | number)[] = []
  const waiting: ((outcome: string | number) => void)[] = []
  const hear = (outcome: string | number): void => {
    const waiter = waiting.shift()
    if (waiter) waiter(outcome)
    else heard.push(outcome)
  }
  const opened = new Promise<void>((resolve) => socket.once('open', () => resolve()))
  socket.on('message', (data: Buffer) =>
    hear((JSON.parse(data.toString('utf8')) as { type: string }).type),
  )
  socket.on('close', hear)
  socket.on('unexpected-response', (_request, response) => hear(response.statusCode ?? 0))
  socket.on('error', () => undefined)
  return {
    send: (frame) => void opened.then(() => socket.send(JSON.stringify(frame))),
    next: () =>
      new Promise((resolve) =>
        heard.length > 0 ? resolve(heard.shift()!) : waiting.push(resolve),
      ),
    close: () => socket.terminate(),
  }
}

describe('every frame of the socket for every kind of caller', () => {
  it('has a row for each frame type', () => {
    expect(Object.keys(FRAMES)).toEqual(
      clientFrameSchema.options.map(({ shape }) => shape.type.value),
    )
  })

  it.each(Object.values(FRAMES).map((frame) => [frame.type, frame] as const))(
    '%s: nobody unproved gets further than 4401',
    async (_type, frame) => {
      const { tokens } = world
      const unproved = {
        nobody: {},
        pending: bearer(tokens.pending),
        deleted: bearer(tokens.deleted),
        key: bearer(tokens.restrictedKey),
      }
      const browser = { cookie: world.browser.cookie, origin: world.server.url }
      const byCookie = {
        'cookie alone': { cookie: `token=${tokens.owner}` },
        'cookie of a browser': browser,
      }
      for (const [name, headers] of Object.entries({ ...unproved, ...byCookie })) {
        const socket = open(headers)
        socket.send(frame)
        expect([name, await socket.next()]).toEqual([name, SOCKET_CLOSE.unauthenticated])
      }
    },
  )

  it.each(Object.values(FRAMES).map((frame) => [frame.type, frame] as const))(
    '%s: is taken from every active account',
    async (_type, frame) => {
      for (const name of ['owner', 'other', 'admin'] as const) {
        const socket = open(bearer(world.tokens[name]))
        expect([name, await socket.next()]).toEqual([name, 'ready'])
        socket.send(frame)
        socket.send(FRAMES.ping)
        const answers = [await socket.next()]
        while (answers.at(-1) !== 'pong') answers.push(await socket.next())
        expect(answers.every((answer) => typeof answer === 'string')).toBe(true)
        socket.close()
      }
    },
  )

  it('signs in by first frame exactly whom it signs in by header', async () => {
    const { tokens } = world
    const outcomes = {
      owner: 'ready',
      other: 'ready',
      admin: 'ready',
      pending: 4401,
      deleted: 4401,
      restrictedKey: 4401,
    } as const
    for (const [name, outcome] of Object.entries(outcomes)) {
      const socket = open({})
      socket.send({ type: 'auth', token: tokens[name as keyof typeof outcomes] })
      expect([name, await socket.next()]).toEqual([name, outcome])
      socket.close()
    }
  })

  it('a browser signs in by its cookie and, in the first frame, the half its page keeps; neither does alone', async () => {
    const { cookie, key } = world.browser
    const origin = world.server.url
    const tries: [Record<string, string>, object, string | number][] = [
      [{ cookie, origin }, { type: 'auth', key }, 'ready'],
      [{ cookie, origin }, { type: 'auth', key: `${key}x` }, 4401],
      [{ cookie, origin }, { type: 'auth', token: cookie.slice('token='.length) }, 4401],
      [{ cookie, origin }, { type: 'auth' }, 4401],
      [{ cookie, origin, 'x-session-key': key }, { type: 'ping' }, 4401],
      [{ cookie }, { type: 'auth', key }, 4401],
      [{ origin }, { type: 'auth', key }, 4401],
      [bearer(cookie.slice('token='.length)), { type: 'auth', key }, 4401],
    ]
    for (const [headers, frame, outcome] of tries) {
      const socket = open(headers)
      socket.send(frame)
      expect([headers, frame, await socket.next()]).toEqual([headers, frame, outcome])
      socket.close()
    }
  })

  it('row 50: demotion and switching keys off end open sockets, whatever they send next', async () => {
    const { users, settings } = world.server.context
    const socket = open(bearer(world.tokens.other))
    expect(await socket.next()).toBe('ready')
    await users.update(world.ids.other, { role: 'pending' })
    expect(await socket.next()).toBe(SOCKET_CLOSE.revoked)

    await settings.update({ API_KEYS_ALLOWED_ENDPOINTS: ['/ws'] })
    const byKey = open(bearer(world.tokens.restrictedKey))
    expect(await byKey.next()).toBe('ready')
    await settings.update({ ENABLE_API_KEYS: false })
    byKey.send(FRAMES.ping)
    expect(await byKey.next()).toBe(SOCKET_CLOSE.revoked)
  })

  it('row 128: foreign pages and foreign names are refused before the upgrade', async () => {
    const cookie = `token=${world.tokens.owner}`
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.com' },
      { origin: 'null' },
      { host: 'evil.com' },
    ]
    for (const headers of foreign) {
      expect(await open({ cookie, ...headers }).next()).toBe(403)
    }
    const own = open({ cookie, origin: world.server.url })
    expect(await own.next()).toBe('ready')
    own.close()
  })
})
