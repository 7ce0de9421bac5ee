import type { Settings } from '../settings/index.ts'

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * Splits a `Host` header; null when it is none, for instance with user information before an `@`.
 */
export function parseHost(host: string): { name: string; port: string | null } | null {
  const match = HOST.exec(host)
  return match ? { name: match[1]!.toLowerCase(), port: match[2] ?? null } : null
}

/**
 * `host:port` of an http(s) origin or address, with the default port filled in; null for `null` and
 * everything else.
 */
export function toAddress(url: string): string | null {
  const parsed = URL.parse(url)
  const defaultPort = parsed ? DEFAULT_PORTS[parsed.protocol] : undefined
  if (!parsed || defaultPort === undefined || parsed.hostname === '') return null
  return `${parsed.hostname}:${parsed.port === '' ? defaultPort : parsed.port}`
}

/**
 * A well-formed origin is nothing but scheme, host and port; this refuses paths, user information
 * and odd spellings.
 */
const isOrigin = (origin: string): boolean => URL.parse(origin)?.origin === origin

/** Knows which pages may talk to the gateway. */
export class Origins {
  readonly #settings: Settings<'CORS_ALLOW_ORIGIN' | 'WEBUI_URL'>

  constructor(settings: Settings<'CORS_ALLOW_ORIGIN' | 'WEBUI_URL'>) {
    this.#settings = settings
  }

  /** Whether the origin is a page served under this `Host`. */
  isOf(origin: string, host: string | undefined): boolean {
    const own = host === undefined ? null : parseHost(host)
    if (!own || !isOrigin(origin)) return false
    const address = toAddress(origin)
    return own.port === null
      ? address === `${own.name}:80` || address === `${own.name}:443`
      : address === `${own.name}:${own.port}`
  }

  /** Whether it is the public address of the gateway, `WEBUI_URL`. */
  isPublic(origin: string): boolean {
    return (
      isOrigin(origin) && toAddress(origin) !== null && toAddress(origin) === this.publicAddress()
    )
  }

  /** Whether `CORS_ALLOW_ORIGIN` names it. */
  isListed(origin: string): boolean {
    return this.#settings.get('CORS_ALLOW_ORIGIN').includes(origin)
  }

  /** `host:port` of `WEBUI_URL`, null when it is not set. */
  publicAddress(): string | null {
    return toAddress(this.#settings.get('WEBUI_URL'))
  }
}
