// @vitest-environment jsdom
import '../../../testing/browser-features.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientFrame, GatewayCall, ServerFrame } from '#contract/events.ts'
import { keepKey, readKey } from './keys.ts'
import { replaceStored, toAddress, toOwnServers } from './own-server.ts'
import { OwnServers } from './own-servers.ts'
import type { Reach } from './reach.ts'
import { resolveReferences } from './resolve-references.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Kitchen' },
  paths: {
    '/pots/{pot}': {
      get: {
        operationId: 'look',
        summary: 'Looks',
        parameters: [{ $ref: '#/components/parameters/Pot' }],
      },
      post: {
        operationId: 'boil',
        parameters: [{ $ref: '#/components/parameters/Pot' }],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Water' } } },
        },
      },
    },
  },
  components: {
    parameters: { Pot: { name: 'pot', in: 'path', schema: { type: 'string' } } },
    schemas: {
      Water: {
        type: 'object',
        properties: { litres: { type: 'number' }, in: { $ref: '#/components/schemas/Water' } },
      },
    },
  },
}
const STORED = [
  {
    url: 'http://127.0.0.1:9/',
    path: 'openapi.json',
    auth_type: 'bearer',
    key: '',
    info: { id: 'kitchen', name: 'Kitchen' },
    extra: 1,
  },
]

const sent: ClientFrame[] = []
const send = (frame: ClientFrame): boolean => sent.push(frame) > 0
const calls: { address: string; init: RequestInit }[] = []
let reply: (address: string, init: RequestInit) => Response | Promise<Response>
const renew = vi.fn()
const reach: Reach = {
  fetch: async (address, init) => {
    calls.push({ address, init })
    return address.endsWith('/openapi.json') ? Response.json(DOCUMENT) : reply(address, init)
  },
  renew,
}
const call = (
  data: Partial<Extract<GatewayCall, { type: 'execute:tool' }>['data']>,
): ServerFrame => ({
  type: 'call',
  call_id: '1',
  chat_id: 'c',
  message_id: 'm',
  data: {
    type: 'execute:tool',
    data: { id: 'c', name: '', params: {}, server: {}, session_id: null, ...data },
  },
})
const start = (stored: unknown = STORED) => {
  const servers = new OwnServers(send, reach)
  servers.take(stored)
  return servers
}

beforeEach(() => {
  sent.length = 0
  calls.length = 0
  renew.mockClear()
  localStorage.clear()
  reply = () => Response.json({ degrees: 100 })
})

describe('the list in the settings', () => {
  it('holds what this window cannot call or does not know untouched, and never a key', () => {
    const list = [...STORED, { type: 'mcp', url: 'http://a' }, 7, { url: 'nonsense' }]
    const [server] = toOwnServers(list)
    expect(toOwnServers(list)).toHaveLength(1)
    expect(server).toMatchObject({
      id: 'kitchen',
      url: 'http://127.0.0.1:9',
      authType: 'bearer',
      isEnabled: true,
    })
    const changed = replaceStored(list, 'kitchen', { ...server!, name: 'Pots', isEnabled: false })
    expect(changed).toMatchObject([
      { info: { name: 'Pots' }, config: { enable: false }, extra: 1, key: '' },
      { type: 'mcp' },
      7,
      { url: 'nonsense' },
    ])
    expect(replaceStored(list, 'kitchen', null)).toEqual(list.slice(1))
    expect(replaceStored('broken', 'new', { ...server!, id: 'new' })).toHaveLength(1)
  })

  it.each([
    ['http://127.0.0.1:9/a/', 'http://127.0.0.1:9/a'],
    [' https://x.test ', 'https://x.test'],
    ['ftp://x.test', null],
    ['javascript:alert(1)', null],
    ['http://me:secret@x.test', null],
    ['x', null],
  ])('%s', (text, address) => expect(toAddress(text)).toBe(address))
})

describe('a request for an answer', () => {
  it('names the servers that were chosen with what they offer', async () => {
    keepKey('kitchen', 'sesame')
    const described = await start().describe(['kitchen', 'nothing'])
    expect(described).toMatchObject([
      {
        url: 'http://127.0.0.1:9',
        info: { id: 'kitchen', name: 'Kitchen' },
        specs: [
          { name: 'look', parameters: { required: ['pot'] }, annotations: { readOnlyHint: true } },
          { name: 'boil', parameters: { properties: { litres: { type: 'number' }, in: {} } } },
        ],
      },
    ])
    expect(JSON.stringify(described)).not.toContain('sesame')
    expect(calls[0]!.init.headers).toMatchObject({ authorization: 'Bearer sesame' })
  })

  it('leaves out a server that cannot be had, and says why', async () => {
    const servers = new OwnServers(send, {
      fetch: () => Promise.reject(new TypeError('Failed to fetch')),
      renew,
    })
    servers.take(STORED)
    expect(await servers.describe(['kitchen'])).toEqual([])
    expect(servers.store.getState().states['kitchen']).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('(CORS)') as string,
    })
  })
})

describe('a server that refuses its description', () => {
  const check = async (status: number) => {
    const refusing = { fetch: () => Promise.resolve(new Response('no', { status })), renew }
    const servers = new OwnServers(send, refusing)
    servers.take(STORED)
    await servers.checks.check('kitchen')
    return servers.store.getState().states['kitchen']
  }

  it.each([401, 403])('with status %i needs a key or a sign-in', async (status) => {
    expect(await check(status)).toMatchObject({
      status: 'failed',
      isRefused: true,
      problem: expect.stringContaining(String(status)) as string,
    })
  })

  it('with another status does not', async () => {
    expect(await check(500)).toMatchObject({ status: 'failed', isRefused: false })
  })
})

describe('a call of the gateway', () => {
  const answered = async () => {
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    return sent[0]
  }

  it('is made here, with the key of this browser', async () => {
    keepKey('kitchen', 'sesame')
    const servers = start()
    expect(
      servers.handleFrame(
        call({
          name: 'boil',
          params: { pot: 'a/b', litres: 2 },
          server: { url: 'http://127.0.0.1:9' },
        }),
      ),
    ).toBe(true)
    expect(await answered()).toEqual({
      type: 'call:result',
      call_id: '1',
      result: [{ degrees: 100 }, { 'content-type': 'application/json' }],
    })
    expect(calls[1]).toMatchObject({
      address: 'http://127.0.0.1:9/pots/a%2Fb',
      init: {
        method: 'POST',
        body: '{"litres":2}',
        headers: { authorization: 'Bearer sesame', 'content-type': 'application/json' },
      },
    })
  })

  it.each([
    ['text', () => new Response('warm', { headers: { 'content-type': 'text/plain' } }), 'warm'],
    [
      'a picture',
      () => new Response(new Uint8Array([1, 2]), { headers: { 'content-type': 'image/png' } }),
      'data:image/png;base64,AQI=',
    ],
    ['nothing', () => new Response(null, { status: 204 }), null],
    [
      'a refusal',
      () => new Response('no pot', { status: 404 }),
      { error: 'HTTP error 404: no pot' },
    ],
    [
      'too much',
      () => new Response('x'.repeat(800_000)),
      { error: expect.stringContaining('larger than') as string },
    ],
  ])('%s', async (_, make, data) => {
    reply = make
    start().handleFrame(
      call({ name: 'look', params: { pot: 'a' }, server: { url: 'http://127.0.0.1:9' } }),
    )
    expect(await answered()).toMatchObject({
      result: [data, data !== null && typeof data === 'object' ? null : {}],
    })
  })

  it.each([
    [
      'a server nobody added',
      { name: 'look', params: {}, server: { url: 'http://127.0.0.1:10' } },
      'call:error',
    ],
    [
      'a tool it does not have',
      { name: 'toString', params: {}, server: { url: 'http://127.0.0.1:9' } },
      'call:result',
    ],
    [
      'a missing argument',
      { name: 'look', params: {}, server: { url: 'http://127.0.0.1:9' } },
      'call:result',
    ],
  ])('%s is answered with what is wrong', async (_, data, type) => {
    start().handleFrame(call(data))
    expect(await answered()).toMatchObject({ type })
    expect(calls.filter(({ address }) => !address.endsWith('openapi.json'))).toEqual([])
  })

  it('ends when it is taken back', async () => {
    let signal: AbortSignal | null | undefined
    reply = (_, init) => {
      signal = init.signal
      return new Promise((_resolve, reject) =>
        signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
      )
    }
    const servers = start()
    servers.handleFrame(
      call({ name: 'look', params: { pot: 'a' }, server: { url: 'http://127.0.0.1:9' } }),
    )
    await vi.waitFor(() => expect(signal).toBeDefined())
    expect(servers.handleFrame({ type: 'call:cancel', call_id: '1' })).toBe(true)
    expect(servers.handleFrame({ type: 'call:cancel', call_id: '2' })).toBe(false)
    await vi.waitFor(() => expect(signal!.aborted).toBe(true))
    expect(sent).toEqual([])
  })

  it('of a server that is switched off is not made', async () => {
    start([{ ...STORED[0], config: { enable: false } }]).handleFrame(
      call({ name: 'look', params: {}, server: { url: 'http://127.0.0.1:9' } }),
    )
    expect(await answered()).toMatchObject({ type: 'call:error' })
    expect(calls).toEqual([])
  })
})

it('signing out forgets the servers and their keys', () => {
  keepKey('kitchen', 'sesame')
  localStorage.setItem('other', 'stays')
  const servers = start()
  servers.forget()
  expect(servers.store.getState().servers).toEqual([])
  expect([readKey('kitchen'), localStorage.getItem('other')]).toEqual(['', 'stays'])
})

it('the way to the servers is opened anew when where they are changed, and only then', () => {
  const servers = start()
  renew.mockClear()
  servers.take(STORED.map((server) => ({ ...server, info: { ...server.info, name: 'Pots' } })))
  expect(renew).not.toHaveBeenCalled()
  servers.take(STORED.map((server) => ({ ...server, url: 'http://127.0.0.1:10' })))
  expect(renew).toHaveBeenCalledOnce()
})

it.each([
  ['#/components/nothing'],
  ['http://127.0.0.1/other.json'],
  ['other.json'],
  ['#/__proto__/x'],
])('a reference to %s is refused', ($ref) => {
  expect(() => resolveReferences({ paths: { '/a': { $ref } } })).toThrow($ref)
})
