import { hash } from 'node:crypto'
import { randomToken } from '../../lib/ids.ts'
import type { Live } from '../../live/index.ts'
import type { Secrets } from '../../storage/secrets/secrets.ts'

const LIFETIME_MILLISECONDS = 60_000
const MOST = 10_000

/**
 * Single-use codes with which a page obtains the second half of a session that began with a
 * redirect. A code is worthless without the cookie that was set with it.
 */
export interface Handovers {
  /** Creates a code for the second half of a session. */
  create(jti: string, key: string): string
  /** Returns the second half, once, for the session it belongs to; null for everything else. */
  redeem(code: string, jti: string): Promise<string | null>
}

/** Codes kept in the memory of the only gateway. */
class OwnHandovers implements Handovers {
  readonly #waiting = new Map<
    string,
    { readonly jti: string; readonly key: string; readonly end: number }
  >()

  create(jti: string, key: string): string {
    if (this.#waiting.size >= MOST) this.#waiting.delete(this.#waiting.keys().next().value!)
    const code = randomToken()
    this.#waiting.set(hash('sha256', code), {
      jti,
      key,
      end: performance.now() + LIFETIME_MILLISECONDS,
    })
    return code
  }

  async redeem(code: string, jti: string): Promise<string | null> {
    const id = hash('sha256', code)
    const found = this.#waiting.get(id)
    if (!found || found.jti !== jti) return null
    this.#waiting.delete(id)
    return performance.now() <= found.end ? found.key : null
  }
}

const placeOf = (jti: string): string => `handover|${jti}|key`

/**
 * Codes for gateways that share a database, any of which may receive the request: each contains the
 * half itself, encrypted for its session. All gateways together accept a code once; while Redis is
 * unavailable, each gateway accepts it once.
 */
class SharedHandovers implements Handovers {
  readonly #secrets: Secrets
  readonly #live: Live
  /** Codes already redeemed here, oldest first. */
  readonly #taken = new Set<string>()

  constructor(secrets: Secrets, live: Live) {
    this.#secrets = secrets
    this.#live = live
  }

  create(jti: string, key: string): string {
    return this.#secrets.encrypt(placeOf(jti), `${Date.now() + LIFETIME_MILLISECONDS} ${key}`)
  }

  async redeem(code: string, jti: string): Promise<string | null> {
    const [end = '', key = ''] = this.#secrets.decrypt(placeOf(jti), code)?.split(' ') ?? []
    if (key === '' || Date.now() > Number(end)) return null
    const id = hash('sha256', code)
    if (this.#taken.has(id)) return null
    if (this.#taken.size >= MOST) this.#taken.delete(this.#taken.values().next().value!)
    this.#taken.add(id)
    const once = { most: 1, seconds: (2 * LIFETIME_MILLISECONDS) / 1000 }
    const wait = await this.#live.line.counters.take(`handover:${id}`, once)
    return (wait ?? 0) > 0 ? null : key
  }
}

export const createHandovers = (secrets: Secrets, live: Live | null = null): Handovers =>
  live ? new SharedHandovers(secrets, live) : new OwnHandovers()
