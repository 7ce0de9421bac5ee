import type { IncomingMessage } from 'node:http'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { randomToken } from '../lib/ids.ts'
import type { Settings } from '../settings/index.ts'
import type { Users } from '../users/index.ts'
import { hasOpenDoor } from './open-door.ts'
import type { Peers } from './peers.ts'

/**
 * Keeps a gateway that other machines reach from belonging to whoever finds it first. A proxy on
 * this machine can make any gateway one of those, so there is a code wherever it listens.
 */
export interface SetupCode {
  /** The code for the first account while it is needed, else null. Only the log may carry it. */
  current(): string | null
  /** Whether a request that makes the first account has to bring the code. */
  isNeededFor(request: IncomingMessage): boolean
  matches(code: string | undefined): boolean
}

export interface SetupCodeDependencies {
  readonly config: Config
  readonly settings: Settings
  readonly users: Users
  readonly peers: Peers
}

const LENGTH = 12

/** Compares in a time that tells nothing of the texts. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

export function createSetupCode({
  config,
  settings,
  users,
  peers,
}: SetupCodeDependencies): SetupCode {
  const isAsked = config.mode === 'server' && !hasOpenDoor(config, settings)
  const code = isAsked && users.count() === 0 ? randomToken(LENGTH) : null
  const current = (): string | null => (users.count() === 0 ? code : null)
  return {
    current,
    isNeededFor: (request) => current() !== null && !peers.isLocal(request),
    matches: (given = '') => code !== null && isSameSecret(given.trim(), code),
  }
}
