import { unavailable } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { Logger } from '../../lib/logger.ts'
import { within } from '../../lib/timing/within.ts'
import { connectRedis, type Redis } from '../../live/index.ts'

/** Times from which the session tokens of users are valid again. */
export interface Revocations {
  /** True if there is a store for it; without one tokens are valid until they expire. */
  readonly isShared: boolean
  /**
   * Reads the stored revocations; must be awaited before the gateway serves requests. Throws a
   * `StartError` if the store cannot be reached.
   */
  open(): Promise<void>
  /** Returns true if a token was issued before its user was signed out everywhere. */
  covers(claims: { readonly id: string; readonly iat: number }): boolean
  /** Returns the earliest second a new token of a user may be dated. */
  earliest(userId: string): number
  /** Refuses every token of a user issued before now. Throws 503 if that cannot be stored. */
  revoke(userId: string): Promise<void>
  close(): Promise<void>
}

const KEY = 'chat-gateway:sessions-revoked'
const CHANNEL = 'chat-gateway:session-revoked'
const COMMAND_MILLISECONDS = 1000

/** For gateways without a store. */
const NONE: Revocations = Object.freeze({
  isShared: false,
  open: () => Promise.resolve(),
  covers: () => false,
  earliest: () => 0,
  revoke: () => Promise.resolve(),
  close: () => Promise.resolve(),
})

/**
 * Stored in Redis, so that it survives a restart and other gateways know of it, and in memory,
 * because every request checks it.
 */
class SharedRevocations implements Revocations {
  readonly isShared = true
  readonly #url: string
  readonly #log: Logger
  readonly #onRevoked: (userId: string) => Promise<void>
  readonly #revokedAt = new Map<string, number>()
  #client: Redis | null = null
  #listener: Redis | null = null

  constructor({
    url,
    log,
    onRevoked,
  }: {
    url: string
    log: Logger
    onRevoked: (userId: string) => Promise<void>
  }) {
    this.#url = url
    this.#log = log
    this.#onRevoked = onRevoked
  }

  async open(): Promise<void> {
    try {
      const place = { url: this.#url, log: this.#log }
      const client = (this.#client = await connectRedis(place))
      this.#listener = await connectRedis(place)
      await this.#listener.subscribe(CHANNEL, (message) => this.#hear(message))
      await this.#load()
      for (const each of [client, this.#listener])
        each.on('error', (error: unknown) => this.#log.warn({ error }, 'Redis does not respond'))
    } catch (error) {
      await this.close()
      throw error
    }
    // Messages published while the connection was down must be read again.
    this.#listener.on(
      'ready',
      () =>
        void this.#load().catch((error: unknown) =>
          this.#log.warn({ error }, 'Redis could not be read'),
        ),
    )
  }

  covers({ id, iat }: { readonly id: string; readonly iat: number }): boolean {
    const at = this.#revokedAt.get(id)
    return at !== undefined && iat <= at
  }

  earliest(userId: string): number {
    return (this.#revokedAt.get(userId) ?? -1) + 1
  }

  async revoke(userId: string): Promise<void> {
    const at = nowSeconds()
    try {
      await within(this.#client!.hSet(KEY, userId, String(at)), COMMAND_MILLISECONDS)
    } catch (cause) {
      throw unavailable(
        'That somebody signed out cannot be kept right now. Try again in a moment.',
        { cause },
      )
    }
    await this.#take(userId, at)
    // Other gateways are notified immediately, or learn of it with their next check.
    await within(
      this.#client!.publish(CHANNEL, JSON.stringify([userId, at])),
      COMMAND_MILLISECONDS,
    ).catch(() => undefined)
  }

  async close(): Promise<void> {
    for (const client of [this.#client, this.#listener]) if (client?.isOpen) client.destroy()
    this.#client = null
    this.#listener = null
    return Promise.resolve()
  }

  async #load(): Promise<void> {
    const kept = await within(this.#client!.hGetAll(KEY), COMMAND_MILLISECONDS)
    for (const [userId, at] of Object.entries(kept)) await this.#take(userId, Number(at))
  }

  async #hear(message: string): Promise<void> {
    try {
      const [userId, at] = JSON.parse(message) as [unknown, unknown]
      if (typeof userId === 'string' && typeof at === 'number') await this.#take(userId, at)
    } catch (error) {
      this.#log.warn({ error }, 'a message from Redis could not be read')
    }
  }

  async #take(userId: string, at: number): Promise<void> {
    if (!Number.isInteger(at) || at <= (this.#revokedAt.get(userId) ?? 0)) return
    this.#revokedAt.set(userId, at)
    await this.#onRevoked(userId)
  }
}

/**
 * Stored in the database, where all gateways that share it read it; `revoke` ends the sessions of a
 * user.
 */
export const createStoredRevocations = (revoke: Revocations['revoke']): Revocations => ({
  ...NONE,
  isShared: true,
  revoke,
})

export const createRevocations = (options: {
  url: string
  log: Logger
  onRevoked: (userId: string) => Promise<void>
}): Revocations => (options.url === '' ? NONE : new SharedRevocations(options))
