import { decodePercent } from '../lib/text/decode-percent.ts'
import type { Proxy, ProxyAccount, Route } from '../lib/outgoing/proxy-route.ts'

export type { ProxyAccount }

const SOCKS: Pick<Proxy, 'kind'> & { readonly port: number } = { kind: 'socks', port: 1080 }

/** The proxy always resolves host names, as `socks5h` requests. */
const KINDS: Readonly<Record<string, typeof SOCKS | { kind: 'http'; port: number }>> = {
  'http:': { kind: 'http', port: 80 },
  'https:': { kind: 'http', port: 443 },
  'socks:': SOCKS,
  'socks5:': SOCKS,
  'socks5h:': SOCKS,
}

/**
 * Parses the URL of a proxy, which may lack its scheme as in most environments; null if it is not
 * an HTTP or SOCKS 5 proxy.
 */
export function readProxy(text: string, account: ProxyAccount | null = null): Proxy | null {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text.trim())
    ? text.trim()
    : `http://${text.trim()}`
  const url = URL.parse(address)
  const kind = url ? KINDS[url.protocol] : undefined
  if (!url || !kind || url.hostname === '') return null
  const known = account ?? {
    user: decodePercent(url.username),
    password: decodePercent(url.password),
  }
  return {
    kind: kind.kind,
    host: decodePercent(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || kind.port,
    isSecure: url.protocol === 'https:',
    account: known.user === '' && known.password === '' ? null : known,
  }
}

/**
 * Names of the kinds as reported by systems; plain `SOCKS` is left out, as it is the older version,
 * which does not resolve names.
 */
const SCHEMES: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS5: 'socks5',
}

/**
 * Parses the system's answer for one URL, such as `PROXY one:3128; DIRECT`. Unsupported kinds are
 * left out, so that the result may be empty.
 */
export function readSystemRoute(text: string, account: ProxyAccount): Route {
  return text
    .split(';')
    .map((part) => part.trim().split(/\s+/))
    .flatMap(([kind = '', place = '']): (Proxy | null)[] => {
      if (kind.toUpperCase() === 'DIRECT') return [null]
      const scheme = SCHEMES[kind.toUpperCase()]
      const proxy = scheme ? readProxy(`${scheme}://${place}`, account) : null
      return proxy ? [proxy] : []
    })
}
