import type {
  OutgoingConnection,
  OutgoingFilter,
  OutgoingHost,
  OutgoingStatus,
  Unseen,
} from '#contract/outgoing-connections.ts'
import {
  chooseAddresses,
  isInNetworkOf,
  listAddresses,
  type LocalAddress,
} from '../lib/outgoing/local-addresses.ts'
import type { Purpose } from '../lib/outgoing/purpose.ts'
import { useRoutes } from '../lib/outgoing/proxy-route.ts'
import { readCertificates, trustAuthorities } from '../lib/outgoing/trust.ts'
import type { Environment } from '../config/env.ts'
import type { Logger } from '../lib/logger.ts'
import { isElsewhere, sealedError, watchWayOut, type Target } from '../lib/outgoing/way-out.ts'
import type { GatewaySettings, Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import { Ledger } from './ledger.ts'
import { isOwnServer, type OwnServer } from './own-servers.ts'
import { Proxies, type ProxySetting } from './proxies.ts'
import { ProgramConnections } from './program-connections.ts'
import { OutgoingStore } from './store.ts'
import { WindowConnections } from './window-connections.ts'
import { csvHead, toCsvLine } from './write-csv.ts'

const DAY_MILLISECONDS = 86_400_000
const MOST_ENTRIES = 20_000
const PRUNE_MILLISECONDS = 600_000
const EXPORTED_AT_ONCE = 500
/** Settings that decide which connections are refused. */
const SEAL: ReadonlySet<string> = new Set(['SEALED_MODE', 'ENABLE_SHARING', 'SHARING_ADDRESSES'])

export interface OutgoingDependencies {
  readonly storage: Storage
  readonly settings: Settings<
    | 'SEALED_MODE'
    | 'OFFLINE_MODE'
    | 'ENABLE_SHARING'
    | 'SHARING_ADDRESSES'
    | 'OUTGOING_DAYS'
    | 'TRUSTED_CERTIFICATES'
    | ProxySetting
  > &
    Pick<GatewaySettings, 'onChange'>
  readonly log: Logger
  /** Source of proxies that the settings do not name. */
  readonly environment: Environment
  /** Servers that hold the gateway's own data, which sealed mode does not cut off. */
  readonly ownServers?: readonly OwnServer[]
  /** True in the desktop app, which reports the requests of its windows. */
  readonly isDesktop?: boolean
  /** Reports whether a host is another computer; loopback is one only in tests. */
  readonly isElsewhere?: (host: string) => boolean
  /** Returns the addresses of this computer; different only in tests. */
  readonly localAddresses?: () => readonly LocalAddress[]
}

/**
 * Records outgoing connections and decides whether any are allowed. On the table of
 * `0042-outgoing`.
 */
export class Outgoing {
  readonly #settings: OutgoingDependencies['settings']
  readonly #ownServers: readonly OwnServer[]
  readonly #localAddresses: () => readonly LocalAddress[]
  readonly #store: OutgoingStore
  readonly #ledger: Ledger
  readonly #endWatch: () => void
  /** Connections of the programs this process starts. */
  readonly programs: ProgramConnections
  /** Requests of the desktop app's windows. */
  readonly windows: WindowConnections
  readonly #proxies: Proxies
  readonly #endRoutes: () => void
  readonly #isDesktop: boolean
  #endTrust: () => void = () => undefined
  #prunedAt = 0

  constructor(dependencies: OutgoingDependencies) {
    const { storage, settings, log, environment, isElsewhere: isFar = isElsewhere } = dependencies
    this.#settings = settings
    this.#isDesktop = dependencies.isDesktop ?? false
    this.#ownServers = dependencies.ownServers ?? []
    this.#localAddresses = dependencies.localAddresses ?? listAddresses
    this.#store = new OutgoingStore(storage)
    this.#ledger = new Ledger({
      write: (entries) => this.#write(entries),
      onFault: (error) => log.warn({ error }, 'outgoing connections could not be recorded'),
    })
    this.#endWatch = watchWayOut(
      {
        isElsewhere: isFar,
        isSealed: () => this.isSealed(),
        refusal: (target, purpose) =>
          this.#allows(target, purpose) ? null : sealedError(target.host),
        refused: (...given) => this.#ledger.refused(...given),
        begun: (...given) => this.#ledger.begun(...given),
      },
      { lasts: true },
    )
    const reported = {
      isElsewhere: isFar,
      begun: (...given: Parameters<Ledger['begun']>) => this.#ledger.begun(...given),
    }
    this.programs = new ProgramConnections(reported)
    this.windows = new WindowConnections(reported)
    this.#proxies = new Proxies({ settings, environment, isSealed: () => this.isSealed() })
    this.#endRoutes = useRoutes(this.#proxies)
    this.#trust()
    settings.onChange(async (keys) => {
      if (keys.some((key) => SEAL.has(key))) this.#endRefused()
      if (keys.some((key) => key.includes('PROXY'))) this.#proxies.forget()
      if (keys.includes('TRUSTED_CERTIFICATES')) this.#trust()
    })
  }

  /** Closes list entries that the previous process left open. */
  async load(): Promise<void> {
    await this.#store.closeOpen()
  }

  isSealed(): boolean {
    return this.#settings.get('SEALED_MODE')
  }

  async list(
    filter: OutgoingFilter,
    part: { readonly limit: number; readonly offset: number },
  ): Promise<{ items: OutgoingConnection[]; total: number }> {
    await this.#ledger.flush()
    const [items, total] = [await this.#store.list(filter, part), await this.#store.count(filter)]
    return { items, total }
  }

  async hosts(filter: OutgoingFilter): Promise<OutgoingHost[]> {
    await this.#ledger.flush()
    return this.#store.hosts(filter)
  }

  async status(): Promise<OutgoingStatus> {
    await this.#ledger.flush()
    const { left, refused } = await this.#store.countSince(Date.now() - DAY_MILLISECONDS)
    return {
      sealed: this.isSealed(),
      offline: this.#settings.get('OFFLINE_MODE'),
      network: this.#settings.get('ENABLE_SHARING'),
      last_day: left,
      refused_last_day: refused,
      since: await this.#store.oldest(),
      days: this.#settings.get('OUTGOING_DAYS'),
      most: MOST_ENTRIES,
      unseen: this.isSealed() ? [] : this.#unseen(),
      proxy: this.#proxies.status(),
    }
  }

  /** Yields the list as CSV text in chunks. */
  async *csv(filter: OutgoingFilter): AsyncGenerator<string, void, void> {
    await this.#ledger.flush()
    yield csvHead
    for (let offset = 0; ; offset += EXPORTED_AT_ONCE) {
      const found = await this.#store.list(filter, { limit: EXPORTED_AT_ONCE, offset })
      yield found.map(toCsvLine).join('')
      if (found.length < EXPORTED_AT_ONCE) return
    }
  }

  async clear(): Promise<void> {
    await this.#ledger.flush()
    await this.#store.clear()
  }

  async close(): Promise<void> {
    this.programs.close()
    this.windows.close()
    this.#endWatch()
    this.#endRoutes()
    this.#endTrust()
    await this.#ledger.flush()
  }

  /** Browsers report nothing; the app's own windows do. */
  #unseen(): Unseen[] {
    return [...this.programs.unwatched, ...(this.#isDesktop ? [] : (['windows'] as const))]
  }

  #trust(): void {
    this.#endTrust()
    const own = readCertificates(this.#settings.get('TRUSTED_CERTIFICATES')) ?? []
    this.#endTrust = own.length === 0 ? () => undefined : trustAuthorities(own)
  }

  /** Kept-alive connections would continue to carry calls that no new connection may carry. */
  #endRefused(): void {
    this.#ledger.endThose((target, purpose) => !this.#allows(target, purpose), sealedError)
  }

  /**
   * In sealed mode only names of the gateway's own servers are resolved, so only IP addresses of
   * the shared networks are allowed.
   */
  #allows(target: Target, purpose: Pick<Purpose, 'kind'>): boolean {
    if (!this.isSealed() || isOwnServer(this.#ownServers, target, purpose)) return true
    const { host, via } = target
    // Still open from before sealed mode: the proxy may be anywhere.
    if (via !== undefined) return false
    return this.#settings.get('ENABLE_SHARING') && isInNetworkOf(this.#sharedAddresses(), host)
  }

  #sharedAddresses(): LocalAddress[] {
    const present = this.#localAddresses()
    const shared = chooseAddresses(present, this.#settings.get('SHARING_ADDRESSES'))
    return present.filter(({ address }) => shared.includes(address))
  }

  async #write(entries: readonly OutgoingConnection[]): Promise<void> {
    await this.#store.write(entries)
    const now = Date.now()
    if (now - this.#prunedAt < PRUNE_MILLISECONDS) return
    this.#prunedAt = now
    const days = this.#settings.get('OUTGOING_DAYS')
    await this.#store.prune(now - days * DAY_MILLISECONDS, MOST_ENTRIES)
  }
}
