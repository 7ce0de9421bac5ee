import { ServiceError, timedOut } from '../../lib/errors.ts'
import { untilAborted } from '../../lib/timing/until-aborted.ts'

/** Time limit of an answer's wait for a server. */
const OPEN_MILLISECONDS = 10_000
/** Time for which a server that did not respond in time is skipped. */
const REST_MILLISECONDS = 60_000

const tooSlow = (): ServiceError => timedOut('it does not answer. It is left out for a minute.')

interface Opening {
  readonly serverId: string
  readonly userId: string
  /** True if there is already a session, which requires no wait. */
  readonly isThere: boolean
  readonly signal: AbortSignal
}

/**
 * Servers that did not respond to a user in time, so that not every message of the user waits for
 * them again.
 */
export class RestingServers {
  /** End times as `performance.now` values, by server and user. */
  readonly #until = new Map<
    string,
    { readonly serverId: string; readonly userId: string; readonly end: number }
  >()

  /**
   * Limits the wait of an answer for a server; subsequent answers do not wait at all until it has
   * had time to recover.
   */
  async openInTime<Server>(
    { serverId, userId, isThere, signal }: Opening,
    open: () => Promise<Server>,
  ): Promise<Server> {
    if (!isThere && this.#has(serverId, userId)) throw tooSlow()
    const limit = AbortSignal.timeout(OPEN_MILLISECONDS)
    try {
      const server = await untilAborted(open(), AbortSignal.any([signal, limit]))
      this.forget({ serverId, userId })
      return server
    } catch (error) {
      const isSlow = limit.aborted || (error instanceof ServiceError && error.status === 504)
      if (signal.aborted || !isSlow) throw error
      this.#add(serverId, userId)
      throw limit.aborted ? tooSlow() : error
    }
  }

  #has(serverId: string, userId: string): boolean {
    return (this.#until.get(JSON.stringify([serverId, userId]))?.end ?? 0) > performance.now()
  }

  #add(serverId: string, userId: string): void {
    this.#until.set(JSON.stringify([serverId, userId]), {
      serverId,
      userId,
      end: performance.now() + REST_MILLISECONDS,
    })
  }

  /** Forgets a server, or all those of a user, or one of them. */
  forget(which: { readonly serverId?: string; readonly userId?: string }): void {
    for (const [key, { serverId, userId }] of this.#until) {
      if ((which.serverId ?? serverId) === serverId && (which.userId ?? userId) === userId)
        this.#until.delete(key)
    }
  }
}
