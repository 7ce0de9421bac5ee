import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { nextTurn } from '../lib/turns.ts'

/**
 * Requests of one connection that may wait for their turn; clients that send requests ahead send
 * some tens.
 */
export const MOST_WAITING = 100
/** Beyond this a connection that was refused sends on and does not read; it is cut. */
const MOST_REFUSED = 1000

/** What a connection asks for. */
interface Line {
  /** The last turn of the event loop in which it began a request at once. */
  begunIn: number
  /** Requests for later turns; null when there are none. */
  waiting: (() => void)[] | null
  refused: number
}

/**
 * Lets every connection begin one request in each turn of the event loop.
 *
 * @NOTE A client may send requests ahead of their answers (HTTP pipelining). Node hands out all
 *   that came in one packet without
 * a pause, hundreds of them, and what each does at once would add up while nobody else is served.
 */
export class ConnectionTurns {
  #turn = 0
  #isTurnOpen = false
  readonly #lines = new WeakMap<Socket, Line>()

  /**
   * Calls `work` now or in a later turn, in the order of the requests; `refuse` where too many wait
   * already.
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
    // The answer ends the connection, so that those behind it need none.
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
    // A connection that was refused begins nothing any more.
    if (line.refused === 0) line.waiting = null
  }
}
