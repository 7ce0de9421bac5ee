import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { nextTurn } from '../lib/turns.ts'

/**
 * Maximum number of waiting requests of one connection; pipelining clients send some tens ahead.
 */
export const MOST_WAITING = 100
/**
 * Maximum number of refused requests; a connection that sends more without reading is destroyed.
 */
const MOST_REFUSED = 1000

/** Queue of a connection's requests. */
interface Line {
  /** Last turn of the event loop in which a request was started immediately. */
  begunIn: number
  /** Requests for later turns; null if there are none. */
  waiting: (() => void)[] | null
  refused: number
}

/**
 * Lets every connection start one request in each turn of the event loop.
 *
 * @NOTE A client may send requests ahead of their responses (HTTP pipelining). Node delivers all
 *   requests of one packet without a pause, hundreds of them, and their synchronous work would add up
 *   while no other connection is served.
 */
export class ConnectionTurns {
  #turn = 0
  #isTurnOpen = false
  readonly #lines = new WeakMap<Socket, Line>()

  /**
   * Calls `work` now or in a later turn, in the order of the requests; calls `refuse` if too many
   * are waiting.
   */
  run({ socket }: IncomingMessage, work: () => void, refuse: () => void): void {
    const line = this.#lineOf(socket)
    if (line.waiting) return this.#wait(socket, line, line.waiting, { work, refuse })
    this.#openTurn()
    if (line.begunIn === this.#turn) {
      line.waiting = [work]
      return void this.#serve(socket, line, line.waiting)
    }
    line.begunIn = this.#turn
    work()
  }

  #lineOf(socket: Socket): Line {
    const known = this.#lines.get(socket)
    if (known) return known
    const line: Line = { begunIn: -1, waiting: null, refused: 0 }
    this.#lines.set(socket, line)
    return line
  }

  #openTurn(): void {
    if (this.#isTurnOpen) return
    this.#isTurnOpen = true
    setImmediate(() => {
      this.#isTurnOpen = false
      this.#turn += 1
    })
  }

  #wait(
    socket: Socket,
    line: Line,
    waiting: (() => void)[],
    { work, refuse }: { work: () => void; refuse: () => void },
  ): void {
    if (line.refused === 0 && waiting.length < MOST_WAITING) {
      waiting.push(work)
      return
    }
    line.refused += 1
    // The response ends the connection, so the requests after it need none.
    if (line.refused === 1) refuse()
    else if (line.refused > MOST_REFUSED) socket.destroy()
  }

  async #serve(socket: Socket, line: Line, waiting: (() => void)[]): Promise<void> {
    for (;;) {
      await nextTurn()
      const work = waiting.shift()
      if (work === undefined || socket.destroyed) break
      work()
    }
    // A connection that was refused starts no further requests.
    if (line.refused === 0) line.waiting = null
  }
}
