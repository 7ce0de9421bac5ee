import type { ProxyStatus } from '#contract/outgoing-connections.ts'
import type { Environment } from '../config/env.ts'
import { nameOf, type Route, type RouteFinder } from '../lib/outgoing/proxy-route.ts'
import { systemProxies } from '../lib/outgoing/system-proxies.ts'
import type { Settings } from '../settings/index.ts'
import { isException } from './proxy-exceptions.ts'
import { readProxy, readSystemRoute, type ProxyAccount } from './read-proxy.ts'

/** Time for which the system's answer about a URL is cached: networks change. */
const KEPT_MILLISECONDS = 60_000
const MOST_KEPT = 500
const STRAIGHT: Route = [null]

export type ProxySetting =
  | 'ENABLE_PROXY'
  | 'PROXY_ADDRESS'
  | 'PROXY_USER'
  | 'PROXY_PASSWORD'
  | 'PROXY_EXCEPTIONS'
  | 'PROXY_LOOKS_UP_NAMES'

interface ProxiesOptions {
  readonly settings: Settings<ProxySetting>
  readonly environment: Environment
  /** In sealed mode there are no proxies, because they could lead anywhere. */
  readonly isSealed: () => boolean
}

interface Kept {
  readonly route: Route
  readonly until: number
}

/**
 * Selects the proxy for a URL: that of the settings, else that of the environment, else, in the
 * desktop app, that of the system.
 */
export class Proxies implements RouteFinder {
  readonly #settings: Settings<ProxySetting>
  readonly #environment: Environment
  readonly #isSealed: () => boolean
  readonly #kept = new Map<string, Kept>()

  constructor({ settings, environment, isSealed }: ProxiesOptions) {
    this.#settings = settings
    this.#environment = environment
    this.#isSealed = isSealed
  }

  known(url: URL): Route | null {
    if (this.#isSealed() || !this.#settings.get('ENABLE_PROXY')) return STRAIGHT
    if (isException(this.#settings.get('PROXY_EXCEPTIONS'), url)) return STRAIGHT
    const own = this.#settings.get('PROXY_ADDRESS')
    if (own !== '') return toRoute(own, this.#account)
    if (this.#hasEnvironment()) return this.#fromEnvironment(url)
    if (systemProxies.ask === null) return STRAIGHT
    const kept = this.#kept.get(url.origin)
    return kept && kept.until > performance.now() ? kept.route : null
  }

  async find(url: URL): Promise<Route> {
    const said = await systemProxies.ask!(url.origin)
    const route = readSystemRoute(said, this.#account)
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    this.#kept.set(url.origin, { route, until: performance.now() + KEPT_MILLISECONDS })
    return route
  }

  leavesNames(): boolean {
    return this.#settings.get('PROXY_LOOKS_UP_NAMES')
  }

  /** Clears the cache, so that the system is queried again. */
  forget(): void {
    this.#kept.clear()
  }

  /** Returns the origin of the proxies, and the proxy if it is the same for all URLs. */
  status(): ProxyStatus {
    if (!this.#settings.get('ENABLE_PROXY')) return { origin: 'none', address: null }
    const own = this.#settings.get('PROXY_ADDRESS')
    if (own !== '') return { origin: 'settings', address: toName(own) }
    const found = this.#variable('HTTPS_PROXY') ?? this.#variable('HTTP_PROXY')
    if (found !== null) return { origin: 'environment', address: toName(found) }
    if (this.#hasEnvironment())
      return { origin: 'environment', address: toName(this.#variable('ALL_PROXY')!) }
    return { origin: systemProxies.ask === null ? 'none' : 'system', address: null }
  }

  get #account(): ProxyAccount {
    return {
      user: this.#settings.get('PROXY_USER'),
      password: this.#settings.get('PROXY_PASSWORD'),
    }
  }

  /** Both spellings are common. */
  #variable(name: string): string | null {
    return this.#environment[name.toLowerCase()] || this.#environment[name] || null
  }

  #hasEnvironment(): boolean {
    return ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].some((name) => this.#variable(name) !== null)
  }

  #fromEnvironment(url: URL): Route {
    const exceptions = (this.#variable('NO_PROXY') ?? '').split(/[,\s]+/)
    if (isException(exceptions, url)) return STRAIGHT
    const isSecure = url.protocol === 'https:' || url.protocol === 'wss:'
    const address =
      this.#variable(isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? this.#variable('ALL_PROXY')
    return address === null ? STRAIGHT : toRoute(address, null)
  }
}

/** An unsupported proxy results in an empty route, so that no connection bypasses it. */
function toRoute(address: string, account: ProxyAccount | null): Route {
  const proxy = readProxy(address, account)
  return proxy ? [proxy] : []
}

function toName(address: string): string | null {
  const proxy = readProxy(address)
  return proxy && nameOf(proxy)
}
