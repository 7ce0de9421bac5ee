import type { Connection } from './connection.ts'

const NONE: ReadonlySet<Connection> = new Set()

/** Index of the admitted sockets by user and by session. */
export class Hub {
  readonly #bySession = new Map<string, Connection>()
  readonly #byUser = new Map<string, Set<Connection>>()

  add(connection: Connection): void {
    this.#bySession.set(connection.sessionId, connection)
    const connections = this.#byUser.get(connection.userId)
    if (connections) connections.add(connection)
    else this.#byUser.set(connection.userId, new Set([connection]))
  }

  remove(connection: Connection): void {
    this.#bySession.delete(connection.sessionId)
    const connections = this.#byUser.get(connection.userId)
    connections?.delete(connection)
    if (connections?.size === 0) this.#byUser.delete(connection.userId)
  }

  ofUser(userId: string): ReadonlySet<Connection> {
    return this.#byUser.get(userId) ?? NONE
  }

  /** Returns the connection of a session; null if the session belongs to another user. */
  find(sessionId: string, userId: string): Connection | null {
    const connection = this.#bySession.get(sessionId)
    return connection?.userId === userId && connection.isOpen() ? connection : null
  }

  all(): Iterable<Connection> {
    return this.#bySession.values()
  }

  /** Returns the ids of the users with a socket. */
  users(): Iterable<string> {
    return this.#byUser.keys()
  }

  get size(): number {
    return this.#bySession.size
  }
}
