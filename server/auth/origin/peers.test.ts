import type { IncomingMessage } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { Peers } from './peers.ts'
import { settingsOf } from '../../testing/settings-of.ts'

let proxies: string[]
let peers: Peers
let url: string
let change: (keys: string[]) => void
beforeEach(() => {
  proxies = ['loopback']
  url = 'https://chat.example.org'
  const settings = {
    ...settingsOf({
      get TRUSTED_PROXIES() {
        return proxies
      },
      get WEBUI_URL() {
        return url
      },
    }),
    onChange: (listener: typeof change) => void (change = listener),
  }
  peers = new Peers(settings)
})
const trust = (...list: string[]): void => {
  proxies = list
  change(['TRUSTED_PROXIES'])
}
const subjectOf = (remoteAddress: string, forwarded?: string): string =>
  peers.limitSubject({
    socket: { remoteAddress },
    headers: { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage)
const isHttps = (remoteAddress: string, proto?: string, host = '127.0.0.1:8642'): boolean =>
  peers.isHttps({
    socket: { remoteAddress },
    headers: { 'x-forwarded-proto': proto, host },
  } as unknown as IncomingMessage)

describe('where a request comes from', () => {
  it('row 79: forwarded addresses are believed from listed peers only', () => {
    expect(subjectOf('127.0.0.1', '203.0.113.7')).toBe('203.0.113.7')
    expect(subjectOf('192.0.2.1', '203.0.113.7')).toBe('192.0.2.1')
    trust('192.0.2.0/24')
    expect(subjectOf('192.0.2.1', '203.0.113.7')).toBe('203.0.113.7')
    expect(subjectOf('127.0.0.1', '203.0.113.7')).toBe('127.0.0.1')
    trust()
    expect(subjectOf('192.0.2.1', '203.0.113.7')).toBe('192.0.2.1')
  })

  it('takes the nearest address that is no proxy, since the rest can be made up', () => {
    expect(subjectOf('127.0.0.1', '1.1.1.1, 203.0.113.7')).toBe('203.0.113.7')
    expect(subjectOf('127.0.0.1', '1.1.1.1, 203.0.113.7, 127.0.0.5')).toBe('203.0.113.7')
    expect(subjectOf('127.0.0.1', 'unknown')).toBe('127.0.0.1')
    expect(subjectOf('127.0.0.1', '')).toBe('127.0.0.1')
    expect(subjectOf('127.0.0.1', '203.0.113.7, evil')).toBe('127.0.0.1')
  })

  it('reads addresses with a port, as some proxies write them', () => {
    expect(subjectOf('127.0.0.1', '203.0.113.7:4711')).toBe('203.0.113.7')
    expect(subjectOf('127.0.0.1', '[2001:db8:1:2::9]:4711')).toBe('2001:db8:1:2::/64')
    expect(subjectOf('127.0.0.1', '203.0.113.7:99, 127.0.0.1:98')).toBe('203.0.113.7')
  })

  describe('is this machine', () => {
    const request = (
      headers: Record<string, string> = {},
      more: { remoteAddress?: string; httpVersion?: string } = {},
    ) => {
      const { remoteAddress = '127.0.0.1', httpVersion = '1.1' } = more
      return {
        socket: { remoteAddress },
        headers: { host: 'localhost:8642', ...headers },
        httpVersion,
      } as unknown as IncomingMessage
    }
    beforeEach(() => {
      url = ''
    })

    it('for a loopback peer that asks a loopback Host', () => {
      for (const remoteAddress of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
        expect([remoteAddress, peers.isLocal(request({}, { remoteAddress }))]).toEqual([
          remoteAddress,
          true,
        ])
      for (const host of ['127.0.0.1', 'LOCALHOST:1', '[::1]:8642'])
        expect([host, peers.isLocal(request({ host }))]).toEqual([host, true])
      for (const remoteAddress of ['192.0.2.1', '::ffff:192.0.2.1', '', 'fe80::1'])
        expect([remoteAddress, peers.isLocal(request({}, { remoteAddress }))]).toEqual([
          remoteAddress,
          false,
        ])
      for (const host of [
        'chat.example.org',
        'localhost.example.org',
        '127.0.0.1.example.org',
        'user@localhost',
        '',
      ])
        expect([host, peers.isLocal(request({ host }))]).toEqual([host, false])
    })

    it('for nobody whom a proxy may stand in front of, whatever it says', () => {
      const names = [
        'x-forwarded-for',
        'x-forwarded-host',
        'x-forwarded-proto',
        'x-forwarded',
        'forwarded',
        'x-original-forwarded-for',
      ]
      for (const name of [
        ...names,
        'via',
        'x-real-ip',
        'x-client-ip',
        'true-client-ip',
        'cf-connecting-ip',
        'cf-ray',
        'cdn-loop',
        'x-envoy-external-address',
        'x-original-host',
        'x-arr-ssl',
      ])
        expect([name, peers.isLocal(request({ [name]: '127.0.0.1' }))]).toEqual([name, false])
      trust()
      expect(peers.isLocal(request({ 'x-forwarded-for': '127.0.0.1' }))).toBe(false)
      expect(peers.isLocal(request({}, { httpVersion: '1.0' }))).toBe(false)
    })

    it('for nobody behind a WEBUI_URL that is not loopback, though their programs reach it directly', () => {
      for (const [address, isLocal] of [
        ['https://chat.example.org', false],
        ['http://192.168.1.2:8642', false],
        ['no address', false],
        ['http://localhost:8642', true],
        ['https://127.0.0.1', true],
        ['http://[::1]:8642/chat', true],
      ] as const) {
        url = address
        expect([address, peers.isLocal(request()), peers.isDirect(request())]).toEqual([
          address,
          isLocal,
          true,
        ])
      }
    })
  })

  it('counts an IPv6 network of 64 bits as one, and a mapped IPv4 address as itself', () => {
    expect(subjectOf('2001:db8:1:2:aaaa::1')).toBe('2001:db8:1:2::/64')
    expect(subjectOf('2001:0db8:0001:0002::')).toBe('2001:db8:1:2::/64')
    expect(subjectOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
    expect(subjectOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
    expect(subjectOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
    expect(subjectOf('::ffff:127.0.0.1', '203.0.113.7')).toBe('203.0.113.7')
  })

  it('believes https only from listed peers', () => {
    expect(isHttps('127.0.0.1', 'HTTPS')).toBe(true)
    expect(isHttps('127.0.0.1', 'http')).toBe(false)
    expect(isHttps('192.0.2.1', 'https')).toBe(false)
    expect(isHttps('127.0.0.1')).toBe(false)
  })

  it('takes the host of an https WEBUI_URL for https', () => {
    expect(isHttps('192.0.2.1', undefined, 'chat.example.org')).toBe(true)
    expect(isHttps('192.0.2.1', undefined, 'www.chat.example.org')).toBe(false)
  })

  it('passes over entries that are no address or network', () => {
    trust('10.0.0.0/99', 'nonsense', '', '10.1.1.1')
    expect(subjectOf('10.1.1.1', '203.0.113.7')).toBe('203.0.113.7')
    expect(subjectOf('10.0.0.1', '203.0.113.7')).toBe('10.0.0.1')
  })
})
