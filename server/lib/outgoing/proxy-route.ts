// Proxies between this computer and a URL. Connections query this module when they are opened; the
// deciding route finder is set once by the gateway.
import { isLoopbackHost } from './host-address.ts'

/** Credentials for a proxy. */
export interface ProxyAccount {
  readonly user: string
  readonly password: string
}

/** A proxy that opens a tunnel to the target of a connection. */
export interface Proxy {
  /** Protocol of the proxy: HTTP CONNECT, or SOCKS 5. */
  readonly kind: 'http' | 'socks'
  readonly host: string
  readonly port: number
  /** True if the connection to the proxy itself uses TLS. */
  readonly isSecure: boolean
  /** Null if it requires no authentication. */
  readonly account: ProxyAccount | null
}

/**
 * Proxies to try in order; null is a direct connection. The next one is used if one is unreachable.
 */
export type Route = readonly (Proxy | null)[]

/** Selects the proxies. */
export interface RouteFinder {
  /** Returns the route if it is known synchronously; null if it has to be requested. */
  known(url: URL): Route | null
  find(url: URL): Promise<Route>
  /** Returns true if names of guarded URLs are left to the proxy to resolve. */
  leavesNames(): boolean
}

/** Route settings an administrator chose for one connection. */
export interface Detour {
  /** False to connect directly, even if proxies are configured. */
  readonly useProxy: boolean
  /** SHA-256 of the only certificate that is trusted in addition to those of authorities. */
  readonly trustedCertificate: string | null
}

export const NO_DETOUR: Detour = { useProxy: true, trustedCertificate: null }

const STRAIGHT: Route = [null]
const finders: RouteFinder[] = []

/** Makes a finder decide from now on; returns a function that ends this. */
export function useRoutes(finder: RouteFinder): () => void {
  finders.push(finder)
  return () => void finders.splice(finders.indexOf(finder), 1)
}

const hasProxies = (url: URL, { useProxy }: Detour): boolean =>
  useProxy && finders.length > 0 && !isLoopbackHost(url.hostname)

/**
 * Returns a function that tells whether it is known synchronously that a connection to a URL needs
 * neither a proxy nor a certificate of its own.
 */
export function createStraightCheck(url: URL, detour: Detour): () => boolean {
  if (detour.trustedCertificate !== null) return () => false
  if (!detour.useProxy || isLoopbackHost(url.hostname)) return () => true
  return () => finders.length === 0 || finders.at(-1)!.known(url)?.[0] === null
}

/** Resolves with the route to a URL. Local URLs are never called through a proxy. */
export async function findRoute(url: URL, detour: Detour = NO_DETOUR): Promise<Route> {
  if (!hasProxies(url, detour)) return STRAIGHT
  const finder = finders.at(-1)!
  return finder.known(url) ?? finder.find(url)
}

export const leavesNames = (): boolean => finders.at(-1)?.leavesNames() ?? false

/** Returns the display name of a proxy, without its password. */
export const nameOf = ({ host, port }: Pick<Proxy, 'host' | 'port'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`
