import { ServiceError, timedOut } from '../lib/errors.ts'
import { untilAborted } from '../lib/until-aborted.ts'

/** How long an answer waits for a server. */
const OPEN_MILLISECONDS = 10_000
/** How long a server that did not answer in time is left alone. */
const REST_MILLISECONDS = 60_000

const tooSlow = (): ServiceError => timedOut('it does not answer. It is left out for a minute.')

interface Opening {
  readonly serverId: string
  readonly userId: string
  /** Whether there is a session already, which needs no waiting. */
  readonly isThere: boolean
  readonly signal: AbortSignal
}

/**
 * Servers that did not answer somebody in time, so that not every message of theirs waits for them
 * again.
 */
export class RestingServers {
  /** Until when, as `performance.now` counts, by server and person. */
  readonly #until = new Map<
    string,
    { readonly serverId: string; readonly userId: string; readonly end: number }
  >()

  /**
   * No answer waits longer than a while for a server, and those after it not at all until it had
   * time to come round.
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

  /** Forgets a server, or all those of a person, or one of theirs. */
  forget(which: { readonly serverId?: string; readonly userId?: string }): void {
    for (const [key, { serverId, userId }] of this.#until) {
      if ((which.serverId ?? serverId) === serverId && (which.userId ?? userId) === userId)
        this.#until.delete(key)
    }
  }
}
