import { describe, expect, it } from 'vitest'
import { isLoopbackHost, isPrivateHost } from './host-address.ts'

const hostOf = (url: string): string => new URL(url).hostname

describe('addresses of hosts', () => {
  it.each([
    'http://127.0.0.1',
    'http://127.9.9.9',
    'http://2130706433',
    'http://0x7f.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://LOCALHOST',
  ])('row 131: %s is this computer', (url) => expect(isLoopbackHost(hostOf(url))).toBe(true))

  it.each([
    'http://127.evil.com',
    'http://127.0.0.1.evil.com',
    'http://localhost.evil.com',
    'http://10.0.0.1',
    'http://[::2]',
    'http://example.com',
  ])('row 131: %s is not this computer', (url) => expect(isLoopbackHost(hostOf(url))).toBe(false))

  it('knows private networks, and takes no name for one', () => {
    for (const url of [
      'http://10.1.2.3',
      'http://192.168.1.1',
      'http://172.31.0.1',
      'http://[fd00::1]',
    ])
      expect(isPrivateHost(hostOf(url))).toBe(true)
    for (const url of [
      'http://172.32.0.1',
      'http://8.8.8.8',
      'http://intranet',
      'http://10.evil.com',
    ])
      expect(isPrivateHost(hostOf(url))).toBe(false)
  })
})
