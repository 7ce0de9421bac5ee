import type { Socket } from 'node:net'

/** Time for a reply that tells of the end to leave. */
const FAREWELL_MILLISECONDS = 250

/** The connections guests call by, so that an answer that is being written ends with their pass. */
export class GuestConnections {
  readonly #byGuest = new Map<string, Set<Socket>>()

  /** From now on the connections of a guest are kept. */
  expect(userId: string): void {
    if (!this.#byGuest.has(userId)) this.#byGuest.set(userId, new Set())
  }

  /** Notes the connection of a call; nothing for people who are no guests. */
  note(userId: string, socket: Socket): void {
    const sockets = this.#byGuest.get(userId)
    if (!sockets || sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }

  end(userId: string): void {
    const sockets = this.#byGuest.get(userId)
    this.#byGuest.delete(userId)
    if (sockets && sockets.size > 0)
      setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, FAREWELL_MILLISECONDS)
  }
}
