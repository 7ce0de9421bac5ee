import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { createOutgoingFetch } from '../lib/outgoing/outgoing-fetch.ts'
import { openOutgoingSocket } from '../lib/outgoing/outgoing-socket.ts'
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
  signal,
  startPlain,
  tidyOutgoing,
  values,
} from '../testing/outgoing-world.ts'
import type { TestProxyOptions } from '../testing/start-proxy.ts'
import { startSocksProxy } from '../testing/start-socks-proxy.ts'

tidyOutgoing()

describe('a proxy of SOCKS 5', () => {
  const socksTo = async (port: number, more: Partial<TestProxyOptions> = {}) => {
    const proxy = await startSocksProxy({ leadTo: port, ...more })
    opened.push(proxy)
    return proxy
  }

  it('of the environment leads every kind of call, is told names, and stands in the list', async () => {
    const server = createServer(greet)
    const port = await listen(server)
    new WebSocketServer({ server }).on('connection', (socket) => socket.send('over a socket'))
    const proxy = await socksTo(port)
    const outgoing = await openOutgoing({ ALL_PROXY: `socks5://127.0.0.1:${proxy.port}` })
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
    expect(await get('http://192.0.2.7:82/d')).toContain('/d')
    expect(await get('http://[2001:db8::7]:83/e')).toContain('/e')
    expect(proxy.asked).toEqual([
      `${NAME}:80`,
      `${NAME}:81`,
      `${NAME}:80`,
      '192.0.2.7:82',
      '[2001:0db8:0000:0000:0000:0000:0000:0007]:83',
    ])
    const [, , , , first] = await entries(outgoing)
    expect(first).toMatchObject({ host: NAME, via: `127.0.0.1:${proxy.port}` })
    expect((await outgoing.status()).proxy).toEqual({
      origin: 'environment',
      address: `127.0.0.1:${proxy.port}`,
    })
  })

  it('carries TLS to the end', async () => {
    const authority = createTestCertificate({ name: 'Our authority', days: 9, isAuthority: true })
    const certificate = createTestCertificate({ name: NAME, days: 9, issuer: authority })
    const proxy = await socksTo(await listen(createSecureServer(certificate, greet)))
    values.PROXY_ADDRESS = `socks5://127.0.0.1:${proxy.port}`
    values.TRUSTED_CERTIFICATES = authority.cert
    await openOutgoing()
    expect(await get(`https://${NAME}/`)).toBe(`hello ${NAME} /`)
    expect(proxy.asked).toEqual([`${NAME}:443`])
  })

  it('gets name and password of the settings or its address, and says when they are wrong', async () => {
    const account = { user: 'ada', password: 'a:ö@' }
    const proxy = await socksTo(await startPlain(), { account })
    values.PROXY_ADDRESS = `socks5://127.0.0.1:${proxy.port}`
    await openOutgoing({ ALL_PROXY: `socks5h://ada:a%3A%C3%B6%40@127.0.0.1:${proxy.port}` })
    expect(await codeOf(get(`http://${NAME}/`))).toBe('PROXY_WANTS_SIGN_IN')
    await change({ PROXY_USER: 'ada', PROXY_PASSWORD: 'wrong' })
    expect(await codeOf(get(`http://${NAME}/`))).toBe('PROXY_WANTS_SIGN_IN')
    expect(proxy.asked).toEqual([])
    await change({ PROXY_USER: 'ada', PROXY_PASSWORD: 'a:ö@' })
    expect(await get(`http://${NAME}/`)).toBe(`hello ${NAME} /`)
    await change({ PROXY_ADDRESS: '', PROXY_USER: '', PROXY_PASSWORD: '' })
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
    const proxy = await socksTo(await startPlain(() => void (calls += 1)))
    proxy.conduct = conduct
    values.PROXY_ADDRESS = `socks5://127.0.0.1:${proxy.port}`
    await openOutgoing()
    const found = await codeOf(get(`http://${NAME}/`, { milliseconds: 600 }))
    expect(conduct === 'stay-silent' ? [code, 'UND_ERR_CONNECT_TIMEOUT'] : [code]).toContain(found)
    expect(calls).toBe(0)
  })

  it('is named by the system, and is not used while sealed', async () => {
    const proxy = await socksTo(await startPlain())
    systemProxies.ask = async () => `SOCKS5 127.0.0.1:${proxy.port}; DIRECT`
    await openOutgoing()
    expect(await get(`http://${NAME}/`)).toContain('hello')
    await change({ SEALED_MODE: true })
    expect(await codeOf(get(`http://${NAME}/`))).toBe('sealed')
    expect(proxy.asked).toEqual([`${NAME}:80`])
  })
})
