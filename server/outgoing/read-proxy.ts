import type { Proxy, Route } from '../lib/proxy-route.ts'

const USUAL_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const toAuthorization = (user: string, password: string): string | null =>
  user === '' && password === ''
    ? null
    : `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`

/** Who signs in at a proxy, where its address does not say it. */
export interface ProxyAccount {
  readonly user: string
  readonly password: string
}

/**
 * Reads the address of a proxy, which may lack its scheme as in most environments; null for what is
 * no proxy of HTTP.
 */
export function readProxy(text: string, account: ProxyAccount | null = null): Proxy | null {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text.trim())
    ? text.trim()
    : `http://${text.trim()}`
  const url = URL.parse(address)
  const usualPort = url ? USUAL_PORTS[url.protocol] : undefined
  if (!url || usualPort === undefined || url.hostname === '') return null
  const { user, password } = account ?? {
    user: decode(url.username),
    password: decode(url.password),
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || usualPort,
    isSecure: url.protocol === 'https:',
    authorization: toAuthorization(user, password),
  }
}

/**
 * Reads what the system says of one address, such as `PROXY one:3128; DIRECT`. Kinds that are not
 * supported are left out, so that nothing may be left.
 */
export function readSystemRoute(text: string, account: ProxyAccount): Route {
  return text
    .split(';')
    .map((part) => part.trim().split(/\s+/))
    .flatMap(([kind = '', place = '']): (Proxy | null)[] => {
      if (kind.toUpperCase() === 'DIRECT') return [null]
      const scheme = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' }[kind.toUpperCase()]
      const proxy = scheme ? readProxy(`${scheme}://${place}`, account) : null
      return proxy ? [proxy] : []
    })
}
