import type { Socket } from 'node:net'

/** Time for a response that reports the end of the pass to be sent. */
const FAREWELL_MILLISECONDS = 250

/** The connections of guests, so that a running answer is cancelled when their pass ends. */
export class GuestConnections {
  readonly #byGuest = new Map<string, Set<Socket>>()

  /** Starts tracking the connections of a guest. */
  expect(userId: string): void {
    if (!this.#byGuest.has(userId)) this.#byGuest.set(userId, new Set())
  }

  /** Tracks the connection of a call; does nothing for users who are not guests. */
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
