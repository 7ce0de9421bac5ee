import { isIP } from 'node:net'
import type { MulticastDNS } from 'multicast-dns'
import type { Logger } from '../lib/logger.ts'

/** Data announced to devices of the network by multicast DNS. */
export interface ServiceAnnouncement {
  /** The name that resolves to the addresses, such as `desk.local`. */
  readonly name: string
  readonly addresses: readonly string[]
  readonly port: number
}

const SERVICE = '_https._tcp.local'
const INSTANCE = `Chat Gateway.${SERVICE}`
/** Time to live of a response. */
const KEPT_SECONDS = 120

/** Returns the records for a queried name; none for names of other hosts. */
function recordsFor(asked: string, { name, addresses, port }: ServiceAnnouncement) {
  const places = addresses.map((data) => ({
    name,
    type: isIP(data) === 6 ? ('AAAA' as const) : ('A' as const),
    ttl: KEPT_SECONDS,
    data,
  }))
  const target = {
    name: INSTANCE,
    type: 'SRV' as const,
    ttl: KEPT_SECONDS,
    data: { port, target: name, priority: 0, weight: 0 },
  }
  const instance = { name: SERVICE, type: 'PTR' as const, ttl: KEPT_SECONDS, data: INSTANCE }
  if (asked === name.toLowerCase()) return { answers: places, additionals: [] }
  if (asked === SERVICE) return { answers: [instance], additionals: [target, ...places] }
  if (asked === INSTANCE.toLowerCase()) return { answers: [target], additionals: places }
  return null
}

/** Responds to queries for the name of this computer, only on the networks it is shared with. */
export class Announcer {
  readonly #log: Logger
  readonly #responders = new Map<string, MulticastDNS>()
  #announcement: ServiceAnnouncement | null = null

  constructor(log: Logger) {
    this.#log = log
  }

  /** The announced name; null if none is. */
  name(): string | null {
    return this.#responders.size > 0 ? (this.#announcement?.name ?? null) : null
  }

  /** Replaces the announcement; null ends it. */
  async announce(announcement: ServiceAnnouncement | null): Promise<void> {
    this.#announcement = announcement
    // Multicast DNS over IPv6 needs a socket per interface; the name resolves to IPv6 addresses
    // too.
    const wanted = (announcement?.addresses ?? []).filter((address) => isIP(address) === 4)
    for (const [address, responder] of this.#responders)
      if (!wanted.includes(address)) this.#end(address, responder)
    for (const address of wanted) if (!this.#responders.has(address)) await this.#begin(address)
  }

  async #begin(address: string): Promise<void> {
    const { default: createResponder } = await import('multicast-dns')
    // @NOTE A socket bound to a specific address receives no multicast messages.
    const responder = createResponder({ interface: address, bind: '0.0.0.0' })
    this.#responders.set(address, responder)
    responder.on('error', (error: Error) => {
      this.#log.warn({ error, address }, 'the name of this computer cannot be announced')
      this.#end(address, responder)
    })
    responder.on('query', ({ questions }) => {
      for (const { name } of questions) {
        const records = this.#announcement && recordsFor(name.toLowerCase(), this.#announcement)
        if (records) responder.respond(records)
      }
    })
  }

  #end(address: string, responder: MulticastDNS): void {
    this.#responders.delete(address)
    responder.removeAllListeners('query')
    responder.destroy()
  }
}
