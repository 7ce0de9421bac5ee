import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { nextTurn } from './lib/turns.ts'

/** Requests of one connection that may wait for their turn; clients that send requests ahead send some tens. */
export const MOST_WAITING = 100
/** Beyond this a connection that was refused sends on and does not read; it is cut. */
const MOST_REFUSED = 1000

interface Line {
  readonly waiting: (() => void)[]
  refused: number
}

/**
 * Lets every connection begin one request in each turn of the event loop.
 *
 * @NOTE A client may send requests ahead of their answers (HTTP pipelining). Node hands out all that came in one packet without
 * a pause, hundreds of them, and what each does at once would add up while nobody else is served.
 */
export class ConnectionTurns {
  /** Connections that have begun a request in this turn. */
  readonly #begun = new Set<Socket>()
  readonly #lines = new WeakMap<Socket, Line>()

  /** Calls `work` now or in a later turn, in the order of the requests; `refuse` where too many wait already. */
  run({ socket }: IncomingMessage, work: () => void, refuse: () => void): void {
    const line = this.#lines.get(socket)
    if (line) return this.#wait(socket, line, { work, refuse })
    if (!this.#begun.has(socket)) {
      if (this.#begun.size === 0) setImmediate(() => this.#begun.clear())
      this.#begun.add(socket)
      return work()
    }
    const opened: Line = { waiting: [work], refused: 0 }
    this.#lines.set(socket, opened)
    void this.#serve(socket, opened)
  }

  #wait(socket: Socket, line: Line, { work, refuse }: { work: () => void; refuse: () => void }): void {
    if (line.refused === 0 && line.waiting.length < MOST_WAITING) {
      line.waiting.push(work)
      return
    }
    line.refused += 1
    // The answer ends the connection, so that those behind it need none.
    if (line.refused === 1) refuse()
    else if (line.refused > MOST_REFUSED) socket.destroy()
  }

  async #serve(socket: Socket, line: Line): Promise<void> {
    for (;;) {
      await nextTurn()
      const work = line.waiting.shift()
      if (work === undefined || socket.destroyed) break
      work()
    }
    // A connection that was refused begins nothing any more.
    if (line.refused === 0) this.#lines.delete(socket)
  }
}
