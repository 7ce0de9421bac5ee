import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { createOutgoingFetch } from '../lib/outgoing/outgoing-fetch.ts'
import { createOutgoingTarget } from '../lib/outgoing/outgoing.ts'
import { because } from '../lib/outgoing/purpose.ts'
import { isElsewhere, rememberConnections, requireWayOut } from '../lib/outgoing/way-out.ts'
import type { Storage } from '../storage/index.ts'
import { createTestStorage } from '../testing/create-test-storage.ts'
import { Outgoing } from './index.ts'

const signal = new AbortController().signal
const START = {
  SEALED_MODE: false,
  OFFLINE_MODE: false,
  ENABLE_SHARING: false,
  SHARING_ADDRESSES: [] as string[],
  OUTGOING_DAYS: 30,
  ENABLE_PROXY: true,
  PROXY_ADDRESS: '',
  PROXY_USER: '',
  PROXY_PASSWORD: '',
  PROXY_EXCEPTIONS: [] as string[],
  PROXY_LOOKS_UP_NAMES: false,
  TRUSTED_CERTIFICATES: '',
}
const values = { ...START }
const opened: { close(): unknown }[] = []
let storage: Storage
let outgoing: Outgoing
let tellChange: (keys: readonly string[]) => Promise<void> = async () => undefined

beforeEach(() => {
  Object.assign(values, START)
  storage = createTestStorage()
  outgoing = open(storage)
})

afterEach(async () => {
  await outgoing.close()
  for (const each of opened.splice(0)) await each.close()
  storage.close()
})

/** Opens an instance for which another process at 127.0.0.1 is another computer. */
const open = (kept: Storage, ownServers: { host: string; port: number }[] = []): Outgoing =>
  new Outgoing({
    ownServers,
    storage: kept,
    settings: {
      get: (key) => values[key] as never,
      onChange: (listener) => void (tellChange = listener),
    },
    log: createLogger('silent'),
    environment: {},
    isElsewhere: (host) => host === '127.0.0.1' || isElsewhere(host),
  })

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({ close: () => server.close() })
  return (server.address() as AddressInfo).port
}

const startEcho = (): Promise<number> =>
  listen(createServer((socket) => socket.on('error', () => undefined).pipe(socket)))

const list = async () => (await outgoing.list({}, { limit: 50, offset: 0 })).items

/** Resolves with the code a connection fails with; null if it opens. */
async function tryTo(dial: () => Socket): Promise<string | null> {
  const socket = dial()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  try {
    await once(socket, 'connect')
    return null
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    socket.destroy()
    await closed
  }
}

describe('the list of what left this computer', () => {
  it('has one entry for a connection, with its purpose and what went over it', async () => {
    const server = createHttpServer((_, response) => response.end('x'.repeat(1000)))
    const port = await listen(server)
    const target = createOutgoingTarget(`http://127.0.0.1:${port}`, {
      connectMilliseconds: 5000,
      purpose: { kind: 'provider', name: 'Somewhere' },
    })
    const request = {
      method: 'POST',
      path: '/v1/chat?key=secret',
      headers: { authorization: 'Bearer secret' },
      body: 'hello',
      firstByteMilliseconds: 5000,
      idleMilliseconds: 5000,
    } as const
    for (const _ of [1, 2, 3]) await (await target.open(request, signal)).bytes(5000)
    const [during] = await list()
    expect(during).toMatchObject({ outcome: 'open', ended_at: null, purpose: 'provider' })
    expect(during!.bytes_received).toBeGreaterThan(3000)
    await target.close()
    await expect.poll(async () => (await list())[0]?.outcome).toBe('ended')
    const entries = await list()
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      host: '127.0.0.1',
      port,
      address: '127.0.0.1',
      name: 'Somewhere',
      fault: null,
    })
    expect(entries[0]!.bytes_sent).toBeGreaterThan(300)
    expect(JSON.stringify(entries)).not.toContain('secret')
  })

  it('has connections that failed, and the same fault in one moment once', async () => {
    const port = await startEcho()
    opened.splice(0).forEach((each) => each.close())
    for (const _ of [1, 2, 3]) await tryTo(() => connect(port, '127.0.0.1'))
    expect(await list()).toMatchObject([{ outcome: 'failed', fault: 'ECONNREFUSED', times: 3 }])
  })

  it('has connections that were opened before it was, if they are still open', async () => {
    await outgoing.close()
    const port = await startEcho()
    rememberConnections()
    const dial = async (name: string): Promise<Socket> => {
      const purpose = { kind: 'shared_store', name } as const
      const socket = because(purpose, () => connect(port, '127.0.0.1'))
      await once(socket, 'connect')
      return socket
    }
    const [lasting, ended] = [await dial('Redis'), await dial('PostgreSQL')]
    ended.destroy()
    await once(ended, 'close')
    outgoing = open(storage)
    expect(await list()).toMatchObject([
      { outcome: 'open', purpose: 'shared_store', name: 'Redis' },
    ])
    lasting.write('hello')
    await once(lasting, 'data')
    lasting.destroy()
    await expect.poll(async () => (await list())[0]?.outcome).toBe('ended')
    expect(await list()).toMatchObject([{ bytes_sent: 5, bytes_received: 5 }])
  })

  it('has none of connections within this computer', async () => {
    await outgoing.close()
    outgoing = new Outgoing({
      storage,
      settings: { get: (key) => values[key] as never, onChange: () => undefined },
      log: createLogger('silent'),
      environment: {},
    })
    const port = await startEcho()
    expect(await tryTo(() => connect(port, '127.0.0.1'))).toBeNull()
    expect(await tryTo(() => connect({ port, host: '::ffff:127.0.0.1' }))).toBeNull()
    expect(await tryTo(() => connect({ port, host: 'localhost', family: 4 }))).toBeNull()
    expect(await list()).toEqual([])
    expect(await outgoing.status()).toMatchObject({ last_day: 0, since: null })
  })

  it('says for libraries that connect by themselves what they were wanted for', async () => {
    const port = await startEcho()
    const socket = because({ kind: 'directory' }, () => connect(port, '127.0.0.1'))
    await once(socket, 'connect')
    socket.destroy()
    expect(await list()).toMatchObject([{ purpose: 'directory' }])
  })

  it('is grouped by host and port, narrowed, exported and cleared', async () => {
    const [first, second] = [await startEcho(), await startEcho()]
    for (const port of [first, first, second])
      await because({ kind: 'search', name: '=1+1' }, () => tryTo(() => connect(port, '127.0.0.1')))
    await expect
      .poll(async () => (await outgoing.list({ outcome: 'ended' }, { limit: 9, offset: 0 })).total)
      .toBe(3)
    expect((await outgoing.hosts({})).map(({ port, connections }) => [port, connections])).toEqual(
      expect.arrayContaining([
        [first, 2],
        [second, 1],
      ]),
    )
    expect((await outgoing.list({ text: '127_0' }, { limit: 9, offset: 0 })).total).toBe(0)
    expect((await outgoing.list({ purpose: 'page' }, { limit: 9, offset: 0 })).total).toBe(0)
    const pieces: string[] = []
    for await (const piece of outgoing.csv({})) pieces.push(piece)
    const lines = pieces.join('').trimEnd().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain("search,'=1+1,")
    await outgoing.clear()
    expect(await list()).toEqual([])
  })

  it('forgets what is too old when it writes', async () => {
    await storage.run(
      storage.builder.insertInto('outgoing_connection').values({
        id: 'old',
        began_at: Date.now() - 31 * 86_400_000,
        ended_at: null,
        host: 'old.example.org',
        port: 443,
        address: null,
        purpose: 'page',
        name: null,
        bytes_sent: 1,
        bytes_received: 1,
        times: 1,
        outcome: 'ended',
        fault: null,
      }),
    )
    await tryTo(() => connect({ port: 1, host: '127.0.0.1' }))
    expect((await list()).map(({ id }) => id)).not.toContain('old')
  })

  it('ends what a process that is gone left open', async () => {
    const port = await startEcho()
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    expect(await list()).toMatchObject([{ outcome: 'open' }])
    const next = open(storage)
    await next.load()
    await next.close()
    const stored = await storage.all(
      storage.builder.selectFrom('outgoing_connection').select('outcome'),
    )
    expect(stored).toEqual([{ outcome: 'ended' }])
    socket.destroy()
  })
})

describe('sealed mode', () => {
  beforeEach(() => {
    values.SEALED_MODE = true
  })

  it.each([
    ['an address', { host: '192.0.2.1' }],
    ['an address of the network', { host: '192.168.1.1' }],
    ['an address of IPv6', { host: '2001:db8::1' }],
    ['an address of IPv4 within IPv6', { host: '::ffff:192.0.2.1' }],
    ['an address of no computer', { host: '0.0.0.0' }],
    ['the same of IPv6', { host: '::' }],
    ['a name', { host: 'example.org' }],
    ['a name that looks like this computer', { host: 'localhost.example.org' }],
    ['a number for an address', { host: '3221225985' }],
    ['a short form of an address', { host: '127.1' }],
    ['a name below localhost', { host: 'a.localhost' }],
  ])('refuses %s before anything is looked up or sent', async (_, target) => {
    expect(await tryTo(() => connect({ port: 80, ...target }))).toBe('sealed')
    expect(await tryTo(() => connectSecurely({ port: 443, ...target }))).toBe('sealed')
    expect(await tryTo(() => connect(80, target.host))).toBe('sealed')
    const entries = await list()
    const told = entries.map(({ port, times, outcome }) => `${outcome} ${port} ${times}`)
    expect(told.toSorted()).toEqual(['refused 443 1', 'refused 80 2'])
    expect(entries[0]).toMatchObject({ host: target.host, address: null, fault: 'sealed' })
  })

  it('leaves the servers of the gateway itself open for its own data, and lists them', async () => {
    const port = await startEcho()
    await outgoing.close()
    outgoing = open(storage, [{ host: '127.0.0.1', port }])
    const own = { kind: 'shared_store', name: 'PostgreSQL' } as const
    const dial = () => connect(port, '127.0.0.1')
    const socket = because(own, dial)
    await once(socket, 'connect')
    expect(await tryTo(dial)).toBe('sealed')
    expect(await because({ kind: 'page' }, () => tryTo(dial))).toBe('sealed')
    expect(await because(own, () => tryTo(() => connect(port + 1, '127.0.0.1')))).toBe('sealed')
    await tellChange(['SEALED_MODE'])
    socket.write('hello')
    expect(String((await once(socket, 'data'))[0])).toBe('hello')
    expect(await list()).toContainEqual(
      expect.objectContaining({ port, outcome: 'open', name: 'PostgreSQL' }),
    )
    socket.destroy()
  })

  it('asks nobody but this computer what localhost is', async () => {
    const port = await startEcho()
    const lookup = (): never => {
      throw new Error('somebody was asked')
    }
    expect(await tryTo(() => connect({ port, host: 'localhost', family: 4, lookup }))).toBeNull()
  })

  it('leaves the networks open that are shared with, and nothing beyond them', async () => {
    values.ENABLE_SHARING = true
    const port = await startEcho()
    await outgoing.close()
    outgoing = new Outgoing({
      storage,
      settings: { get: (key) => values[key] as never, onChange: () => undefined },
      log: createLogger('silent'),
      environment: {},
      localAddresses: () => [
        { address: '192.168.1.5', network: '192.168.1.5/24', interface: 'lan' },
        { address: '10.8.0.2', network: '10.8.0.2/24', interface: 'vpn' },
        { address: '169.254.7.7', network: '169.254.7.7/16', interface: 'cable' },
        { address: 'fd12::5', network: 'fd12::5/64', interface: 'lan' },
      ],
    })
    const isOpen = (host: string): boolean => {
      try {
        requireWayOut({ host, port }, { kind: 'page' })
        return true
      } catch (error) {
        return (error as { code?: string }).code !== 'sealed'
      }
    }
    const hosts = [
      '192.168.1.1',
      '::ffff:192.168.1.1',
      '10.8.0.1',
      'fd12::1',
      '192.168.2.1',
      '10.9.0.1',
      '172.16.0.1',
      '169.254.7.8',
      '169.254.169.254',
      'fe80::1',
      'fd00:ec2::254',
      '192.0.2.1',
      'desk.local',
    ]
    values.SHARING_ADDRESSES = []
    expect(hosts.filter(isOpen)).toEqual(['192.168.1.1', '::ffff:192.168.1.1', '10.8.0.1'])
    values.SHARING_ADDRESSES = ['192.168.1.5']
    expect(hosts.filter(isOpen)).toEqual(['192.168.1.1', '::ffff:192.168.1.1'])
    values.SHARING_ADDRESSES = ['fd12::5', '169.254.7.7']
    expect(hosts.filter(isOpen)).toEqual(['fd12::1'])
  })

  it('says so in a sentence to whoever fetches', async () => {
    const fetching = createOutgoingFetch({ kind: 'tool_server' })
    const failed = await fetching
      .fetch('https://example.org/x')
      .catch((error: Error) => error.cause)
    expect(failed).toMatchObject({
      code: 'sealed',
      message: expect.stringContaining('example.org was not contacted') as string,
    })
    await fetching.close()
  })

  it('ends connections that are open when it is switched on, kept-alive ones among them', async () => {
    values.SEALED_MODE = false
    const port = await startEcho()
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const failure = once(socket, 'error')
    values.SEALED_MODE = true
    await tellChange(['SEALED_MODE'])
    expect((await failure)[0]).toMatchObject({ code: 'sealed' })
    await expect.poll(async () => (await list())[0]?.outcome).toBe('failed')
  })

  it('counts nothing refused as something that left', async () => {
    await tryTo(() => connect({ port: 80, host: '192.0.2.1' }))
    expect(await outgoing.status()).toMatchObject({ last_day: 0, refused_last_day: 1 })
  })
})
