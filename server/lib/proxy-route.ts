// Which proxies stand between this computer and an address. Connections ask here when they are
// opened; who decides is set once by the gateway.
import { isLoopbackHost } from './host-address.ts'

/** Who signs in at a proxy. */
export interface ProxyAccount {
  readonly user: string
  readonly password: string
}

/** A proxy, which is asked for a tunnel to wherever a connection leads. */
export interface Proxy {
  /** What it understands: CONNECT of HTTP, or SOCKS 5. */
  readonly kind: 'http' | 'socks'
  readonly host: string
  readonly port: number
  /** Whether it is spoken to by TLS itself. */
  readonly isSecure: boolean
  /** Null where it wants to know nobody. */
  readonly account: ProxyAccount | null
}

/** Where to try in turn; null is the way without a proxy. The next counts where one is not there. */
export type Route = readonly (Proxy | null)[]

/** Decides about proxies. */
export interface RouteFinder {
  /** What is known at once; null where somebody has to be asked. */
  known(url: URL): Route | null
  find(url: URL): Promise<Route>
  /** Whether names of guarded addresses are left to the proxy to look up. */
  leavesNames(): boolean
}

/** A way that an administrator chose for one connection. */
export interface Detour {
  /** False leads straight there, whatever proxies there are. */
  readonly useProxy: boolean
  /** SHA-256 of the one certificate that is trusted besides those of authorities. */
  readonly trustedCertificate: string | null
}

export const NO_DETOUR: Detour = { useProxy: true, trustedCertificate: null }

const STRAIGHT: Route = [null]
const finders: RouteFinder[] = []

/** Has a finder decide from now on; answers how to end that. */
export function useRoutes(finder: RouteFinder): () => void {
  finders.push(finder)
  return () => void finders.splice(finders.indexOf(finder), 1)
}

const hasProxies = (url: URL, { useProxy }: Detour): boolean =>
  useProxy && finders.length > 0 && !isLoopbackHost(url.hostname)

/** Whether it is known now that a connection needs neither a proxy nor a certificate of its own. */
export function isStraight(url: URL, detour: Detour): boolean {
  if (detour.trustedCertificate !== null) return false
  if (!hasProxies(url, detour)) return true
  return finders.at(-1)!.known(url)?.[0] === null
}

/** The way to an address. Nothing on this computer is called through a proxy. */
export async function findRoute(url: URL, detour: Detour = NO_DETOUR): Promise<Route> {
  if (!hasProxies(url, detour)) return STRAIGHT
  const finder = finders.at(-1)!
  return finder.known(url) ?? finder.find(url)
}

export const leavesNames = (): boolean => finders.at(-1)?.leavesNames() ?? false

/** How a proxy is called where people read it, without its password. */
export const nameOf = ({ host, port }: Pick<Proxy, 'host' | 'port'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`
