import { describe, expect, it } from 'vitest'
import { isException } from './proxy-exceptions.ts'
import { readProxy, readSystemRoute } from './read-proxy.ts'

describe('exceptions from the proxy', () => {
  it.each([
    ['example.com', 'https://example.com/'],
    ['example.com', 'https://models.example.com/'],
    ['.example.com', 'https://models.example.com/'],
    ['*.example.com', 'https://models.EXAMPLE.com./'],
    ['example.com:8443', 'https://example.com:8443/'],
    ['example.com:443', 'https://example.com/'],
    ['*', 'https://example.com/'],
    ['10.0.0.7', 'http://10.0.0.7:8080/'],
    ['10.0.0.0/8', 'http://10.1.2.3/'],
    ['fd00::/8', 'http://[fd12::1]/'],
    ['[fd12::1]:8080', 'http://[fd12::1]:8080/'],
    ['<local>', 'http://wiki/'],
  ])('%s holds for %s', (entry, address) => {
    expect(isException(['other.example', entry], new URL(address))).toBe(true)
  })

  it.each([
    ['example.com', 'https://badexample.com/'],
    ['example.com', 'https://example.com.evil.org/'],
    ['example.com:8443', 'https://example.com/'],
    ['0.0.7', 'http://10.0.0.7/'],
    ['10.0.0.0/8', 'http://11.0.0.1/'],
    ['10.0.0.0/99', 'http://10.0.0.1/'],
    ['<local>', 'http://wiki.example/'],
    ['<local>', 'http://10.0.0.1/'],
    ['', 'https://example.com/'],
    ['.', 'https://example.com/'],
  ])('%s does not hold for %s', (entry, address) => {
    expect(isException([entry], new URL(address))).toBe(false)
  })
})

describe('the address of a proxy', () => {
  it('may lack its scheme and hold a password', () => {
    expect(readProxy('proxy.example:3128')).toEqual({
      kind: 'http',
      host: 'proxy.example',
      port: 3128,
      isSecure: false,
      account: null,
    })
    const { account } = readProxy('http://me:a%40b@proxy.example')!
    expect(account).toEqual({ user: 'me', password: 'a@b' })
  })

  it.each(['socks://', 'socks5://', 'SOCKS5H://'])('may be one of SOCKS 5: %s', (scheme) => {
    expect(readProxy(`${scheme}me:a%40b@proxy.example`)).toEqual({
      kind: 'socks',
      host: 'proxy.example',
      port: 1080,
      isSecure: false,
      account: { user: 'me', password: 'a@b' },
    })
    expect(readProxy(`${scheme}[2001:db8::1]:9050`)).toMatchObject({
      host: '2001:db8::1',
      port: 9050,
      account: null,
    })
  })

  it.each(['socks4://proxy.example:1080', 'http://', 'socks5://', 'ftp://proxy.example'])(
    'is none that is supported: %s',
    (text) => expect(readProxy(text)).toBeNull(),
  )

  it('is read from what the system says, with what is not supported left out', () => {
    const account = { user: '', password: '' }
    const route = readSystemRoute('SOCKS5 a:1080; PROXY b:3128; HTTPS c:443; DIRECT', account)
    expect(
      route.map((step) => step && `${step.host}:${step.port}${step.isSecure ? '!' : ''}`),
    ).toEqual(['a:1080', 'b:3128', 'c:443!', null])
    expect(readSystemRoute('SOCKS a:1080', account)).toEqual([])
  })
})
