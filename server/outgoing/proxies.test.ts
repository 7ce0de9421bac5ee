import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import { createOutgoingFetch } from '../lib/outgoing/outgoing-fetch.ts'
import { openOutgoingSocket } from '../lib/outgoing/outgoing-socket.ts'
import { createOutgoingTarget } from '../lib/outgoing/outgoing.ts'
import { systemProxies } from '../lib/outgoing/system-proxies.ts'
import { createTestCertificate } from '../testing/create-test-certificate.ts'
import {
  change,
  codeOf,
  entries,
  get,
  greet,
  listen,
  NAME,
  opened,
  openOutgoing,
  proxyTo,
  signal,
  startPlain,
  tidyOutgoing,
  values,
} from '../testing/outgoing-world.ts'
import { startProxy } from '../testing/start-proxy.ts'
import { startSocksProxy } from '../testing/start-socks-proxy.ts'

tidyOutgoing()

describe('a proxy of the settings', () => {
  it('leads every kind of call, and is told names, never asked for addresses of its own', async () => {
    const server = createServer(greet)
    const port = await listen(server)
    new WebSocketServer({ server }).on('connection', (socket) => socket.send('over a socket'))
    const proxy = await proxyTo(port)
    values.PROXY_ADDRESS = `http://127.0.0.1:${proxy.port}`
    const outgoing = await openOutgoing()
    expect(await get(`http://${NAME}/a`)).toBe(`hello ${NAME} /a`)
    const fetcher = createOutgoingFetch({ kind: 'tool_server' })
    opened.push(fetcher)
    expect(await (await fetcher.fetch(`http://${NAME}:81/b`)).text()).toBe(`hello ${NAME}:81 /b`)
    const socket = await openOutgoingSocket(`ws://${NAME}/c`, {
      headers: {},
      connectMilliseconds: 5000,
      purpose: { kind: 'pictures' },
      mostBytes: 1000,
      signal,
    })
    expect((await socket.messages().next()).value).toEqual({ text: 'over a socket' })
    socket.close()
    expect(proxy.asked).toEqual([`${NAME}:80`, `${NAME}:81`, `${NAME}:80`])
    await expect
      .poll(async () => (await entries(outgoing)).map(({ outcome }) => outcome))
      .not.toContain('open')
    const listed = await entries(outgoing)
    expect(listed).toHaveLength(3)
    for (const entry of listed)
      expect(entry).toMatchObject({
        host: NAME,
        address: '127.0.0.1',
        via: `127.0.0.1:${proxy.port}`,
        outcome: 'ended',
      })
    expect(listed.map(({ purpose }) => purpose).toSorted()).toEqual([
      'pictures',
      'provider',
      'tool_server',
    ])
  })

  it('keeps connections that it made', async () => {
    const proxy = await proxyTo(await startPlain())
    values.PROXY_ADDRESS = `http://127.0.0.1:${proxy.port}`
    await openOutgoing()
    const target = createOutgoingTarget(`http://${NAME}`, { connectMilliseconds: 5000 })
    opened.push(target)
    for (const path of ['/1', '/2', '/3']) {
      const reply = await target.open(
        {
          method: 'POST',
          path,
          headers: {},
          body: 'x',
          firstByteMilliseconds: 5000,
          idleMilliseconds: 5000,
        },
        signal,
      )
      expect((await reply.bytes(1000)).toString()).toBe(`hello ${NAME} ${path}`)
    }
    expect(proxy.asked.length).toBeLessThan(3)
  })

  it('gets name and password, and says when they are wrong', async () => {
    const account = { user: 'ada', password: 'a:ö' }
    const proxy = await proxyTo(await startPlain(), { account })
    values.PROXY_ADDRESS = `http://127.0.0.1:${proxy.port}`
    const outgoing = await openOutgoing()
    expect(await codeOf(get(`http://${NAME}/`))).toBe('PROXY_WANTS_SIGN_IN')
    await expect
      .poll(async () => (await entries(outgoing))[0])
      .toMatchObject({ fault: 'PROXY_WANTS_SIGN_IN' })
    await change({ PROXY_USER: 'ada', PROXY_PASSWORD: 'a:ö' })
    expect(await get(`http://${NAME}/`)).toBe(`hello ${NAME} /`)
  })

  it.each([
    ['break-off', 'PROXY_BROKE_OFF'],
    ['talk-nonsense', 'PROXY_SPEAKS_OTHERWISE'],
    ['stay-silent', 'PROXY_SILENT'],
    ['refuse', 'PROXY_REFUSED'],
    ['lack', 'PROXY_FOUND_NOTHING'],
  ] as const)('that does %s is %s, and nothing reaches anybody', async (conduct, code) => {
    let calls = 0
    const proxy = await proxyTo(await startPlain(() => void (calls += 1)))
    proxy.conduct = conduct
    values.PROXY_ADDRESS = `http://127.0.0.1:${proxy.port}`
    await openOutgoing()
    const found = await codeOf(get(`http://${NAME}/`, { milliseconds: 600 }))
    expect(conduct === 'stay-silent' ? [code, 'UND_ERR_CONNECT_TIMEOUT'] : [code]).toContain(found)
    expect(calls).toBe(0)
  })

  it('that is not there is said, and not gone around', async () => {
    const proxy = await proxyTo(1)
    await proxy.close()
    values.PROXY_ADDRESS = `http://127.0.0.1:${proxy.port}`
    await openOutgoing()
    expect(await codeOf(get('http://192.0.2.7/'))).toBe('PROXY_UNREACHABLE')
  })

  it('may be spoken to by TLS itself', async () => {
    const authority = createTestCertificate({ name: 'Our authority', days: 9, isAuthority: true })
    const certificate = createTestCertificate({ name: 'localhost', days: 9, issuer: authority })
    const proxy = await proxyTo(await startPlain(), { certificate })
    values.PROXY_ADDRESS = `https://localhost:${proxy.port}`
    await openOutgoing()
    expect(await codeOf(get(`http://${NAME}/`))).toBe('PROXY_NOT_TRUSTED')
    await change({ TRUSTED_CERTIFICATES: authority.cert })
    expect(await get(`http://${NAME}/`)).toBe(`hello ${NAME} /`)
  })

  it('is left out for this computer, for exceptions and for one connection', async () => {
    const port = await startPlain()
    const proxy = await proxyTo(port)
    values.PROXY_ADDRESS = `http://127.0.0.1:${proxy.port}`
    values.PROXY_EXCEPTIONS = ['198.51.100.0/24']
    await openOutgoing()
    expect(await get(`http://127.0.0.1:${port}/`)).toContain('hello')
    const straight = { useProxy: false, trustedCertificate: null }
    for (const [address, detour] of [
      ['http://192.0.2.7:9/', straight],
      ['http://198.51.100.7:9/', undefined],
    ] as const)
      expect(
        await codeOf(get(address, { milliseconds: 300, ...(detour && { detour }) })),
      ).not.toMatch(/^PROXY/)
    expect(proxy.asked).toEqual([])
  })
})

describe('where proxies are named elsewhere', () => {
  it('the environment counts, with its exceptions and either spelling', async () => {
    const [port, other] = [await startPlain(), await startPlain()]
    const [proxy, secureProxy] = [await proxyTo(port), await proxyTo(other)]
    const outgoing = await openOutgoing({
      http_proxy: `http://127.0.0.1:${proxy.port}`,
      HTTPS_PROXY: `127.0.0.1:${secureProxy.port}`,
      NO_PROXY: 'inside.example, 192.0.2.0/24',
    })
    expect(await get(`http://${NAME}/`)).toContain('hello')
    await codeOf(get(`https://${NAME}/`))
    expect(await codeOf(get('http://192.0.2.7:9/', { milliseconds: 300 }))).not.toMatch(/^PROXY/)
    expect([proxy.asked, secureProxy.asked]).toEqual([[`${NAME}:80`], [`${NAME}:443`]])
    expect((await outgoing.status()).proxy).toEqual({
      origin: 'environment',
      address: `127.0.0.1:${secureProxy.port}`,
    })
    await change({ ENABLE_PROXY: false })
    expect((await outgoing.status()).proxy.origin).toBe('none')
  })

  it('the system is asked once, and the next of its proxies is taken where one is not there', async () => {
    const proxy = await proxyTo(await startPlain())
    const gone = await proxyTo(1)
    await gone.close()
    const asked: string[] = []
    systemProxies.ask = async (origin) => {
      asked.push(origin)
      return `PROXY 127.0.0.1:${gone.port}; PROXY 127.0.0.1:${proxy.port}; DIRECT`
    }
    await openOutgoing()
    for (const path of ['/1', '/2']) expect(await get(`http://${NAME}${path}`)).toContain(path)
    expect(asked).toEqual([`http://${NAME}`])
    expect(proxy.asked).toHaveLength(2)
  })

  it('one of another kind is said, and not gone around', async () => {
    await openOutgoing({ ALL_PROXY: 'socks4://127.0.0.1:1080' })
    expect(await codeOf(get(`http://${NAME}/`))).toBe('PROXY_OF_ANOTHER_KIND')
  })
})

describe('addresses that people give', () => {
  const policy = {
    allowedHosts: [] as string[],
    allowLocal: false,
    maximumBytes: 10_000,
    timeoutMilliseconds: 5000,
    offline: false,
  }
  const find = (address: string) => (_: string, done: (error: null, found: never[]) => void) =>
    done(null, [{ address, family: 4 }] as never[])
  const read = async (address: string, found: string, rules = policy): Promise<string> => {
    const fetcher = new GuardedFetch(() => rules, { find: find(found) as never })
    return (await fetcher.fetch(address, {}, signal)).bytes.toString()
  }

  it.each([
    ['http', startProxy],
    ['socks5', startSocksProxy],
  ] as const)(
    'reach through a proxy of %s what they may reach without one: it is told the checked address',
    async (scheme, start) => {
      const proxy = await start({ leadTo: await startPlain() })
      opened.push(proxy)
      values.PROXY_ADDRESS = `${scheme}://127.0.0.1:${proxy.port}`
      await openOutgoing()
      expect(await read('http://pages.example.org/x', '93.184.215.14')).toBe(
        'hello pages.example.org /x',
      )
      expect(proxy.asked).toEqual(['93.184.215.14:80'])
      for (const inside of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1'])
        await expect(read('http://pages.example.org/x', inside)).rejects.toMatchObject({
          code: 'address_refused',
        })
      await expect(read('http://10.0.0.1/', '10.0.0.1')).rejects.toMatchObject({ status: 400 })
      expect(proxy.asked).toHaveLength(1)
    },
  )

  it('are told by name where an administrator leaves names to the proxy or chose the host', async () => {
    const proxy = await proxyTo(await startPlain())
    values.PROXY_ADDRESS = `http://127.0.0.1:${proxy.port}`
    await openOutgoing()
    const allowed = { ...policy, allowedHosts: ['wiki.example.org'] }
    await read('http://wiki.example.org/', '10.0.0.1', allowed)
    await change({ PROXY_LOOKS_UP_NAMES: true })
    await read('http://pages.example.org/', '10.0.0.1')
    expect(proxy.asked).toEqual(['wiki.example.org:80', 'pages.example.org:80'])
    await expect(read('http://localhost./', '127.0.0.1')).rejects.toMatchObject({ status: 400 })
    await expect(read('http://192.168.0.1/', '10.0.0.1')).rejects.toMatchObject({ status: 400 })
  })
})

describe('sealed mode', () => {
  it('is not gone around by a proxy, on this computer or kept from before', async () => {
    let arrived = 0
    const proxy = await proxyTo(
      await startPlain((_, response) => response.write(`${(arrived += 1)}`)),
    )
    values.PROXY_ADDRESS = `http://127.0.0.1:${proxy.port}`
    const outgoing = await openOutgoing()
    const kept = get(`http://${NAME}/`)
    kept.catch(() => undefined)
    await expect.poll(() => arrived).toBe(1)
    await change({ SEALED_MODE: true, ENABLE_SHARING: true })
    expect(await codeOf(kept)).toBe('sealed')
    for (const host of [NAME, '192.0.2.7'])
      expect(await codeOf(get(`http://${host}/`, { milliseconds: 500 }))).toBe('sealed')
    expect(proxy.asked).toHaveLength(1)
    expect((await entries(outgoing)).filter(({ outcome }) => outcome === 'refused')).toHaveLength(2)
  })
})

describe('certificates', () => {
  async function secure(
    options: Parameters<typeof createTestCertificate>[0],
  ): Promise<{ port: number; fingerprint: string; cert: string }> {
    const { key, cert } = createTestCertificate(options)
    const server = createSecureServer({ key, cert }, greet)
    server.on('tlsClientError', () => undefined)
    const { X509Certificate } = await import('node:crypto')
    return {
      port: await listen(server),
      cert,
      fingerprint: new X509Certificate(cert).fingerprint256,
    }
  }

  it('of an authority of one’s own are trusted once it is added, and no longer when it is removed', async () => {
    const authority = createTestCertificate({ name: 'Our authority', days: 9, isAuthority: true })
    const { port } = await secure({ name: 'localhost', days: 9, issuer: authority })
    await openOutgoing()
    const url = `https://localhost:${port}/`
    expect(await codeOf(get(url))).toMatch(/UNABLE_TO/)
    await change({ TRUSTED_CERTIFICATES: `${authority.cert}\n` })
    expect(await get(url)).toContain('hello')
    const fetcher = createOutgoingFetch({ kind: 'other' })
    opened.push(fetcher)
    expect(await (await fetcher.fetch(url)).text()).toContain('hello')
    await change({ TRUSTED_CERTIFICATES: '' })
    expect(await codeOf(get(url))).toMatch(/UNABLE_TO/)
  })

  it('chosen for a connection are trusted there alone, also through a proxy', async () => {
    const { port, fingerprint } = await secure({ name: 'other.example', days: 9 })
    await openOutgoing()
    const chosen = { useProxy: true, trustedCertificate: fingerprint }
    const url = `https://localhost:${port}/`
    expect(await get(url, { detour: chosen })).toContain('hello')
    expect(await codeOf(get(url))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    const another = { ...chosen, trustedCertificate: fingerprint.replace(/^../, '00') }
    expect(await codeOf(get(url, { detour: another }))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    const proxy = await proxyTo(port)
    await change({ PROXY_ADDRESS: `http://127.0.0.1:${proxy.port}` })
    expect(await get(`https://${NAME}/`, { detour: chosen })).toContain('hello')
    expect(await codeOf(get(`https://${NAME}/`))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(proxy.asked).toEqual([`${NAME}:443`, `${NAME}:443`])
  })

  it('that ran out are not trusted, chosen or not', async () => {
    const { port, fingerprint } = await secure({ name: 'localhost', days: -1 })
    await openOutgoing()
    const detour = { useProxy: true, trustedCertificate: fingerprint }
    expect(await codeOf(get(`https://localhost:${port}/`, { detour }))).toBe('CERT_HAS_EXPIRED')
  })
})
