import type { McpSession } from './session.ts'

/** Whose session with which server. */
export interface SessionKey {
  readonly userId: string
  readonly serverId: string
}

/**
 * Sessions that are kept between requests: nobody waits for a greeting twice, and nobody uses
 * somebody else's.
 */
export interface SessionPool {
  /**
   * The open session, or a new one; several callers at once wait for the same greeting. A failed
   * one is tried anew.
   */
  use(key: SessionKey): Promise<McpSession>
  /** The open sessions with a server. */
  openWith(serverId: string): readonly SessionKey[]
  /** Ends the sessions with a server, or those of a person, or of one person with one server. */
  drop(key: Partial<SessionKey>): Promise<void>
  close(): Promise<void>
}

export interface SessionPoolOptions {
  readonly open: (key: SessionKey, signal: AbortSignal) => Promise<McpSession>
  /** Unused for so long, a session ends. */
  readonly idleMilliseconds: number
  /** Beyond so many, the one that was not used for longest ends. */
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

/** Builds an empty pool. */
export function createSessionPool({
  open,
  idleMilliseconds,
  mostSessions,
}: SessionPoolOptions): SessionPool {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>()

  function forget(entry: Entry): void {
    if (entry.idle) clearTimeout(entry.idle)
    const name = nameOf(entry.key)
    if (entries.get(name) === entry) entries.delete(name)
  }

  async function end(entry: Entry): Promise<void> {
    forget(entry)
    entry.opening.abort(new Error('The connection to the tool server is no longer wanted.'))
    const session = await entry.session.catch(() => null)
    await session?.close()
  }

  function touch(entry: Entry): void {
    const name = nameOf(entry.key)
    entries.delete(name)
    entries.set(name, entry)
    if (entry.idle) clearTimeout(entry.idle)
    entry.idle = setTimeout(() => void end(entry), idleMilliseconds).unref()
  }

  function create(key: SessionKey): Entry {
    const opening = new AbortController()
    const entry: Entry = {
      key,
      session: open(key, opening.signal),
      opening,
      isOpen: false,
      idle: null,
    }
    entry.session.then(
      (session) => {
        entry.isOpen = true
        session.onClosed(() => forget(entry))
      },
      () => forget(entry),
    )
    return entry
  }

  return {
    use(key) {
      const known = entries.get(nameOf(key))
      const entry = known ?? create(key)
      touch(entry)
      if (!known && entries.size > mostSessions) void end(entries.values().next().value!)
      return entry.session
    },
    openWith: (serverId) =>
      [...entries.values()]
        .filter(({ key, isOpen }) => isOpen && key.serverId === serverId)
        .map(({ key }) => key),
    async drop({ userId, serverId }) {
      const dropped = [...entries.values()].filter(
        ({ key }) =>
          (userId === undefined || key.userId === userId) &&
          (serverId === undefined || key.serverId === serverId),
      )
      await Promise.all(dropped.map(end))
    },
    close: async () => void (await Promise.all([...entries.values()].map(end))),
  }
}
