import type { Settings } from '../../settings/index.ts'

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * Splits a `Host` header; null if it is invalid, for example with user information before an `@`.
 */
export function parseHost(host: string): { name: string; port: string | null } | null {
  const match = HOST.exec(host)
  return match ? { name: match[1]!.toLowerCase(), port: match[2] ?? null } : null
}

/**
 * Returns `host:port` of an http(s) origin or URL, with the default port filled in; null for `null`
 * and everything else.
 */
export function toAddress(url: string): string | null {
  const parsed = URL.parse(url)
  const defaultPort = parsed ? DEFAULT_PORTS[parsed.protocol] : undefined
  if (!parsed || defaultPort === undefined || parsed.hostname === '') return null
  return `${parsed.hostname}:${parsed.port === '' ? defaultPort : parsed.port}`
}

/**
 * A well-formed origin is only scheme, host and port; this refuses paths, user information and
 * unusual spellings.
 */
const isOrigin = (origin: string): boolean => URL.parse(origin)?.origin === origin

/** Decides which pages may call the gateway. */
export class Origins {
  readonly #settings: Settings<'CORS_ALLOW_ORIGIN' | 'WEBUI_URL'>

  constructor(settings: Settings<'CORS_ALLOW_ORIGIN' | 'WEBUI_URL'>) {
    this.#settings = settings
  }

  /** Returns true if the origin is a page served under this `Host`. */
  isOf(origin: string, host: string | undefined): boolean {
    const own = host === undefined ? null : parseHost(host)
    if (!own || !isOrigin(origin)) return false
    const address = toAddress(origin)
    return own.port === null
      ? address === `${own.name}:80` || address === `${own.name}:443`
      : address === `${own.name}:${own.port}`
  }

  /** Returns true if it is the public URL of the gateway, `WEBUI_URL`. */
  isPublic(origin: string): boolean {
    return (
      isOrigin(origin) && toAddress(origin) !== null && toAddress(origin) === this.publicAddress()
    )
  }

  /** Returns true if `CORS_ALLOW_ORIGIN` lists it. */
  isListed(origin: string): boolean {
    return this.#settings.get('CORS_ALLOW_ORIGIN').includes(origin)
  }

  /** Returns `host:port` of `WEBUI_URL`, null if it is not set. */
  publicAddress(): string | null {
    return toAddress(this.#settings.get('WEBUI_URL'))
  }
}
