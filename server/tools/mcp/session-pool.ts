import { LostSession, type McpSession } from './session.ts'

/** User and server of a session. */
export interface SessionKey {
  readonly userId: string
  readonly serverId: string
}

export interface SessionPoolOptions {
  readonly open: (key: SessionKey, signal: AbortSignal) => Promise<McpSession>
  /** Idle time after which a session ends. */
  readonly idleMilliseconds: number
  /** Maximum number of sessions; beyond it the least recently used one ends. */
  readonly mostSessions: number
}

interface Entry {
  readonly key: SessionKey
  readonly session: Promise<McpSession>
  readonly opening: AbortController
  isOpen: boolean
  idle: NodeJS.Timeout | null
}

const nameOf = ({ userId, serverId }: SessionKey): string => JSON.stringify([userId, serverId])

/**
 * Sessions kept between requests: the handshake is not repeated, and sessions are never shared
 * between users. Creates an empty pool.
 */
export class SessionPool {
  readonly #open: (key: SessionKey, signal: AbortSignal) => Promise<McpSession>
  readonly #idleMilliseconds: number
  readonly #mostSessions: number
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>()
  #isClosed = false

  constructor({ open, idleMilliseconds, mostSessions }: SessionPoolOptions) {
    this.#open = open
    this.#idleMilliseconds = idleMilliseconds
    this.#mostSessions = mostSessions
  }

  /**
   * Returns the open session, or a new one; concurrent callers share one handshake. A failed one is
   * retried.
   */
  use(key: SessionKey): Promise<McpSession> {
    if (this.#isClosed) return Promise.reject(new LostSession())
    const known = this.#entries.get(nameOf(key))
    const entry = known ?? this.#create(key)
    this.#touch(entry)
    if (!known && this.#entries.size > this.#mostSessions)
      void this.#end(this.#entries.values().next().value!)
    return entry.session
  }

  /** Returns the open sessions with a server. */
  openWith(serverId: string): readonly SessionKey[] {
    return [...this.#entries.values()]
      .filter(({ key, isOpen }) => isOpen && key.serverId === serverId)
      .map(({ key }) => key)
  }

  /** Ends the sessions with a server, or those of a user, or of one user with one server. */
  async drop({ userId, serverId }: Partial<SessionKey>): Promise<void> {
    const dropped = [...this.#entries.values()].filter(
      ({ key }) =>
        (userId === undefined || key.userId === userId) &&
        (serverId === undefined || key.serverId === serverId),
    )
    await Promise.all(dropped.map((entry) => this.#end(entry)))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    void (await Promise.all([...this.#entries.values()].map((entry) => this.#end(entry))))
  }

  #forget(entry: Entry): void {
    if (entry.idle) clearTimeout(entry.idle)
    const name = nameOf(entry.key)
    if (this.#entries.get(name) === entry) this.#entries.delete(name)
  }

  async #end(entry: Entry): Promise<void> {
    this.#forget(entry)
    entry.opening.abort(new Error('The connection to the tool server is no longer wanted.'))
    const session = await entry.session.catch(() => null)
    await session?.close()
  }

  #touch(entry: Entry): void {
    const name = nameOf(entry.key)
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    if (entry.idle) clearTimeout(entry.idle)
    entry.idle = setTimeout(() => void this.#end(entry), this.#idleMilliseconds).unref()
  }

  #create(key: SessionKey): Entry {
    const opening = new AbortController()
    const entry: Entry = {
      key,
      // A caller that waits for a connection that is no longer wanted may request another one.
      session: this.#open(key, opening.signal).catch((error: unknown) => {
        throw opening.signal.aborted ? new LostSession(error) : error
      }),
      opening,
      isOpen: false,
      idle: null,
    }
    entry.session.then(
      (session) => {
        entry.isOpen = true
        session.onClosed(() => this.#forget(entry))
      },
      () => this.#forget(entry),
    )
    return entry
  }
}
