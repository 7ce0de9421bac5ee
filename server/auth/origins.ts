import type { Settings } from '../settings/index.ts'

/** Knows which pages may talk to the gateway. */
export interface Origins {
  /** Whether the origin is a page served under this `Host`. */
  isOf(origin: string, host: string | undefined): boolean
  /** Whether it is the public address of the gateway, `WEBUI_URL`. */
  isPublic(origin: string): boolean
  /** Whether `CORS_ALLOW_ORIGIN` names it. */
  isListed(origin: string): boolean
  /** `host:port` of `WEBUI_URL`, null when it is not set. */
  publicAddress(): string | null
}

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

export function createOrigins(settings: Settings): Origins {
  const publicAddress = (): string | null => toAddress(settings.string('WEBUI_URL'))
  return {
    isOf: (origin, host) => {
      const own = host === undefined ? null : parseHost(host)
      if (!own || !isOrigin(origin)) return false
      const address = toAddress(origin)
      return own.port === null
        ? address === `${own.name}:80` || address === `${own.name}:443`
        : address === `${own.name}:${own.port}`
    },
    isPublic: (origin) =>
      isOrigin(origin) && toAddress(origin) !== null && toAddress(origin) === publicAddress(),
    isListed: (origin) => settings.list('CORS_ALLOW_ORIGIN').includes(origin),
    publicAddress,
  }
}
