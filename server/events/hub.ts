import type { Connection } from './connection.ts'

/** The admitted sockets by user and by session. */
export interface Hub {
  add(connection: Connection): void
  remove(connection: Connection): void
  ofUser(userId: string): ReadonlySet<Connection>
  /** A session belongs to its user: asked for another user it does not exist. */
  find(sessionId: string, userId: string): Connection | null
  all(): Iterable<Connection>
  /** Who has a socket. */
  users(): Iterable<string>
  readonly size: number
}

const NONE: ReadonlySet<Connection> = new Set()

export function createHub(): Hub {
  const bySession = new Map<string, Connection>()
  const byUser = new Map<string, Set<Connection>>()
  return {
    add(connection) {
      bySession.set(connection.sessionId, connection)
      const connections = byUser.get(connection.userId)
      if (connections) connections.add(connection)
      else byUser.set(connection.userId, new Set([connection]))
    },
    remove(connection) {
      bySession.delete(connection.sessionId)
      const connections = byUser.get(connection.userId)
      connections?.delete(connection)
      if (connections?.size === 0) byUser.delete(connection.userId)
    },
    ofUser: (userId) => byUser.get(userId) ?? NONE,
    find(sessionId, userId) {
      const connection = bySession.get(sessionId)
      return connection?.userId === userId && connection.isOpen() ? connection : null
    },
    all: () => bySession.values(),
    users: () => byUser.keys(),
    get size() {
      return bySession.size
    },
  }
}
