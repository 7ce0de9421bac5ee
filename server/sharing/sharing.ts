import type { SharingStatus } from '#contract/sharing.ts'
import type { Auth } from '../auth/index.ts'
import { badRequest, conflict } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { Live } from '../live/index.ts'
import { chooseAddresses, listAddresses } from '../lib/outgoing/local-addresses.ts'
import type { GatewaySettings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import type { Users } from '../users/index.ts'
import { Announcer } from './announce.ts'
import { Certificates } from './certificates.ts'
import { GuestPasses } from './guest-passes.ts'
import { ShareListeners, type OpenSecureListener } from './listeners.ts'
import { ShareStore } from './store.ts'

/** Interval for checking the addresses of this computer, the time and the certificate. */
const LOOK_MILLISECONDS = 10_000

const SETTINGS = ['ENABLE_SHARING', 'SHARING_ADDRESSES', 'SHARING_PORT'] as const

const SYSTEMS: Readonly<Record<string, SharingStatus['system']>> = {
  linux: 'linux',
  darwin: 'macos',
  win32: 'windows',
}

const SEVERAL_GATEWAYS =
  'Several gateways share this database. Each would open addresses and count guests by itself, so sharing with the network works on a single gateway only.'

const NO_ADDRESS =
  'The gateway’s computer has no chosen address in a private network now. Sharing begins as soon as it has one; if its address has changed, choose the new one.'

export interface SharingDependencies {
  readonly storage: Storage
  readonly settings: GatewaySettings
  readonly secrets: Secrets
  readonly users: Users
  readonly auth: Auth
  readonly log: Logger
  /** The other gateways on the database. */
  readonly live: Live | null
}

/**
 * The second listener, for devices of the network: its addresses follow the settings while the
 * gateway runs. On the tables of `0040-sharing`.
 */
export class Sharing {
  readonly #storage: Storage
  readonly #settings: GatewaySettings
  readonly #log: Logger
  readonly #store: ShareStore
  readonly #listeners: ShareListeners
  readonly #announcer: Announcer
  readonly #hasOtherGateways: boolean
  #settling: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isOpen = false
  #fault: string | null = null
  readonly certificates: Certificates
  readonly passes: GuestPasses

  constructor(deps: SharingDependencies) {
    const { settings, storage, secrets, log } = deps
    this.#hasOtherGateways = deps.live !== null
    this.#storage = storage
    this.#settings = settings
    this.#log = log
    this.#store = new ShareStore(storage, secrets)
    this.#listeners = new ShareListeners(log)
    this.#announcer = new Announcer(log)
    this.certificates = new Certificates(this.#store)
    this.passes = new GuestPasses(deps)
    settings.onChange(async (keys) => {
      // Not awaited, because settling changes a setting itself when the time is over.
      if (SETTINGS.some((key) => keys.includes(key))) void this.settle()
    })
  }

  /** Loads the passes into memory; must be awaited before the first call. */
  load(): Promise<void> {
    return this.passes.load()
  }

  /** Starts listening if the settings say so. */
  async open(opener: OpenSecureListener): Promise<void> {
    this.#listeners.attach(opener)
    this.#isOpen = true
    await this.passes.resume()
    await this.settle()
  }

  async close(): Promise<void> {
    this.#isOpen = false
    this.passes.close()
    await this.settle()
  }

  isOn(): boolean {
    return this.#settings.get('ENABLE_SHARING')
  }

  /** Throws where the database is shared by several gateways, each of which would share separately. */
  requireAlone(): void {
    if (this.#hasOtherGateways) throw badRequest(SEVERAL_GATEWAYS, { code: 'several_gateways' })
  }

  /** Reports whether devices can connect now. */
  isReachable(): boolean {
    return this.#listeners.port() !== null
  }

  async status(): Promise<SharingStatus> {
    const chosen = this.#settings.get('SHARING_ADDRESSES')
    const present = listAddresses()
    const gone = chosen
      .filter((address) => !present.some((each) => each.address === address))
      .map((address) => ({ address, interface: '' }))
    const wanted = chooseAddresses(present, chosen)
    const port = this.#listeners.port()
    return {
      on: this.isOn(),
      ends_at: await this.#store.endsAt(),
      name: this.#announcer.name(),
      port,
      addresses: [...present, ...gone].map(({ address, interface: name }) => ({
        address,
        interface: name,
        chosen: wanted.includes(address) || chosen.includes(address),
        url: this.#listeners.isOpen(address) ? toUrl(address, port!) : null,
        fault: this.#listeners.fault(address),
      })),
      certificate: await this.certificates.describe(),
      system: SYSTEMS[process.platform] ?? 'other',
      fault: this.#fault,
    }
  }

  /**
   * Returns the `host:port` pairs of the listener: its addresses and the names of this computer.
   */
  hosts(): ReadonlySet<string> {
    const port = this.#listeners.port()
    if (port === null) return new Set()
    const names = [...this.#listeners.addresses().map(toHost), ...this.certificates.names()]
    return new Set(names.map((name) => `${name}:${port}`))
  }

  async turnOn({
    addresses,
    hours,
  }: {
    readonly addresses?: readonly string[]
    readonly hours?: number | null
  }): Promise<SharingStatus> {
    this.requireAlone()
    const present = listAddresses().map(({ address }) => address)
    const unknown = addresses?.find((address) => !present.includes(address))
    if (unknown !== undefined)
      throw badRequest(`${unknown} is no address of the gateway in a private network.`, {
        code: 'unknown_address',
      })
    const fault = await this.certificates.fault()
    if (fault !== null) throw conflict(fault, { code: 'certificate_ended' })
    await this.#storage.transaction(async () => {
      if (hours !== undefined)
        await this.#store.setEndsAt(hours === null ? null : nowSeconds() + Math.round(hours * 3600))
      else if (!this.isOn()) await this.#store.setEndsAt(null)
      await this.#settings.update({
        ENABLE_SHARING: true,
        ...(addresses && { SHARING_ADDRESSES: [...addresses] }),
      })
    })
    return this.#settled(true)
  }

  async turnOff(): Promise<SharingStatus> {
    await this.#storage.transaction(() => this.#switchOff())
    return this.#settled(false)
  }

  /** Aligns the listeners with the settings, one run after the other. */
  settle(): Promise<void> {
    this.#settling = this.#settling.then(async () => {
      clearTimeout(this.#timer)
      try {
        await this.#settleOnce()
      } catch (error) {
        this.#log.error({ error }, 'the listeners for the local network could not be updated')
        this.#fault = 'Sharing does not work now. The log says why; it is tried again.'
      }
    })
    return this.#settling
  }

  async #settled(isOn: boolean): Promise<SharingStatus> {
    if (this.isOn() !== isOn)
      throw conflict(
        'ENABLE_SHARING is decided by the environment of the gateway and cannot be changed here.',
        { code: 'setting_locked' },
      )
    await this.settle()
    return this.status()
  }

  async #settleOnce(): Promise<void> {
    if (this.#isOpen) await this.#endWhenOver()
    if (!this.#isOpen || !this.isOn() || this.#hasOtherGateways) {
      this.#fault = this.#hasOtherGateways ? SEVERAL_GATEWAYS : null
      this.#listeners.closeAll()
      return this.#announcer.announce(null)
    }
    this.#timer = setTimeout(() => void this.settle(), await this.#nextLook()).unref()
    const addresses = chooseAddresses(listAddresses(), this.#settings.get('SHARING_ADDRESSES'))
    this.#fault = (await this.certificates.fault()) ?? (addresses.length === 0 ? NO_ADDRESS : null)
    const pair = await this.certificates.obtain(addresses)
    await this.#listeners.settle({ addresses, port: this.#settings.get('SHARING_PORT'), pair })
    const port = this.#listeners.port()
    await this.#announcer.announce(
      port === null
        ? null
        : { name: this.certificates.names()[0]!, addresses: this.#listeners.addresses(), port },
    )
  }

  /** In one transaction, so that it never ends a time that was extended meanwhile. */
  #endWhenOver(): Promise<void> {
    return this.#storage.transaction(async () => {
      const endsAt = await this.#store.endsAt()
      if (endsAt !== null && endsAt <= nowSeconds()) await this.#switchOff()
    })
  }

  async #switchOff(): Promise<void> {
    await this.#store.setEndsAt(null)
    if (this.isOn()) await this.#settings.update({ ENABLE_SHARING: false })
  }

  async #nextLook(): Promise<number> {
    const endsAt = await this.#store.endsAt()
    if (endsAt === null) return LOOK_MILLISECONDS
    return Math.max(0, Math.min(LOOK_MILLISECONDS, endsAt * 1000 - Date.now()))
  }
}

const toHost = (address: string): string => (address.includes(':') ? `[${address}]` : address)

const toUrl = (address: string, port: number): string => `https://${toHost(address)}:${port}`
