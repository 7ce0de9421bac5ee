import type { Logger } from '../lib/logger.ts'
import type { CertificatePair } from './make-certificate.ts'

/** An HTTPS listener on one address. */
export interface SecureListener {
  readonly port: number
  /** New connections use this certificate from now on. */
  renew(pair: CertificatePair): void
  /** Accepts no new connections, and closes the existing ones shortly. */
  close(): void
}

/** Opens a listener; null if the port is in use and `exact` allows no other. */
export type OpenSecureListener = (
  place: { readonly address: string; readonly port: number; readonly exact: boolean },
  pair: CertificatePair,
) => Promise<SecureListener | null>

/** Parameters of the wanted listeners. */
export interface WantedListeners {
  readonly addresses: readonly string[]
  readonly port: number
  readonly pair: CertificatePair
}

/** The listeners for devices of the network: one per address, all on one port. */
export class ShareListeners {
  readonly #log: Logger
  readonly #open = new Map<string, SecureListener>()
  readonly #faults = new Map<string, string>()
  #opener: OpenSecureListener | null = null
  #wantedPort: number | null = null
  #certificate: string | null = null

  constructor(log: Logger) {
    this.#log = log
  }

  /** Sets the function that opens listeners. */
  attach(opener: OpenSecureListener): void {
    this.#opener = opener
  }

  /** The common port; null if there is none. */
  port(): number | null {
    return this.#open.values().next().value?.port ?? null
  }

  isOpen(address: string): boolean {
    return this.#open.has(address)
  }

  fault(address: string): string | null {
    return this.#faults.get(address) ?? null
  }

  addresses(): string[] {
    return [...this.#open.keys()]
  }

  async settle({ addresses, port, pair }: WantedListeners): Promise<void> {
    if (this.#wantedPort !== port) this.closeAll()
    this.#wantedPort = port
    this.#faults.clear()
    for (const [address, listener] of this.#open)
      if (!addresses.includes(address)) this.#close(address, listener)
    if (this.#certificate !== pair.certificate)
      for (const listener of this.#open.values()) listener.renew(pair)
    this.#certificate = pair.certificate
    for (const address of addresses)
      if (!this.#open.has(address)) await this.#openAt(address, { port, pair })
  }

  closeAll(): void {
    for (const [address, listener] of this.#open) this.#close(address, listener)
    this.#faults.clear()
  }

  #close(address: string, listener: SecureListener): void {
    this.#open.delete(address)
    listener.close()
  }

  async #openAt(
    address: string,
    { port, pair }: Omit<WantedListeners, 'addresses'>,
  ): Promise<void> {
    const common = this.port()
    try {
      const listener = await this.#opener?.(
        { address, port: common ?? port, exact: common !== null },
        pair,
      )
      if (listener) this.#open.set(address, listener)
      else this.#faults.set(address, `Port ${common ?? port} is taken on ${address}.`)
    } catch (error) {
      this.#log.warn({ error, address }, 'an address of the network could not be shared')
      this.#faults.set(address, `${address} cannot be opened now. It is tried again.`)
    }
  }
}
