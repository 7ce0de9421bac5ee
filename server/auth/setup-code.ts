import type { IncomingMessage } from 'node:http'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { randomToken } from '../lib/ids.ts'
import type { AuthSettings } from './auth-settings.ts'
import type { Users } from '../users/index.ts'
import { hasOpenDoor } from './open-door.ts'
import type { Peers } from './peers.ts'

const LENGTH = 12

/** Compares in a time that tells nothing of the texts. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/**
 * Protects a gateway that other machines reach: the first account needs a code. A proxy on this
 * machine can publish any gateway, so there is a code whatever address it listens on.
 */
export class SetupCode {
  readonly #users: Users
  readonly #peers: Peers
  readonly #code: string | null

  constructor({
    config,
    settings,
    users,
    peers,
  }: {
    readonly config: Config
    readonly settings: AuthSettings
    readonly users: Users
    readonly peers: Peers
  }) {
    this.#users = users
    this.#peers = peers
    const isAsked = config.mode === 'server' && !hasOpenDoor(config, settings)
    this.#code = isAsked && users.count() === 0 ? randomToken(LENGTH) : null
  }

  /** The code for the first account while it is needed, else null. Only the log may carry it. */
  current(): string | null {
    return this.#users.count() === 0 ? this.#code : null
  }

  /** Whether a request that makes the first account has to bring the code. */
  isNeededFor(request: IncomingMessage): boolean {
    return this.current() !== null && !this.#peers.isLocal(request)
  }

  matches(given = ''): boolean {
    return this.#code !== null && isSameSecret(given.trim(), this.#code)
  }
}
