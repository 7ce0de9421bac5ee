import type { IncomingMessage } from 'node:http'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import { randomToken } from '../../lib/ids.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { Users } from '../../users/index.ts'
import { hasOpenDoor } from './open-door.ts'
import type { Peers } from '../origin/peers.ts'

const LENGTH = 12
const SHARED_LENGTH = 24

/** Compares in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/**
 * Protects a gateway that other machines reach: the first account needs a code. A proxy on this
 * machine can publish any gateway, so there is a code regardless of the address it listens on.
 */
export class SetupCode {
  readonly #users: Users
  readonly #peers: Peers
  readonly #isAsked: boolean
  readonly #make: () => string
  #code: string | null = null

  constructor({
    config,
    settings,
    users,
    peers,
    shared = null,
  }: {
    readonly config: Config
    readonly settings: AuthSettings
    readonly users: Users
    readonly peers: Peers
    /** Secret shared only by all gateways on the database, if there are several. */
    readonly shared?: Buffer | null
  }) {
    this.#users = users
    this.#peers = peers
    // All gateways need the same code: a user who reads the log of one may be routed to another.
    this.#make = () => shared?.toString('hex').slice(0, SHARED_LENGTH) ?? randomToken(LENGTH)
    this.#isAsked = config.mode === 'server' && !hasOpenDoor(config, settings)
  }

  /** Creates the code if there are no accounts yet. */
  async open(): Promise<void> {
    if (this.#isAsked && (await this.#users.count()) === 0) this.#code = this.#make()
  }

  /**
   * Returns the code for the first account while it is needed, else null. It may only be written to
   * the log.
   */
  async current(): Promise<string | null> {
    return (await this.#users.count()) === 0 ? this.#code : null
  }

  /** Returns true if a request that creates the first account must contain the code. */
  async isNeededFor(request: IncomingMessage): Promise<boolean> {
    return (await this.current()) !== null && !this.#peers.isLocal(request)
  }

  matches(given = ''): boolean {
    return this.#code !== null && isSameSecret(given.trim(), this.#code)
  }
}
