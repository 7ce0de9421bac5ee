import { nextTurn, SLICE_MILLISECONDS } from '../lib/turns.ts'
import type { Connection } from './connection.ts'

/**
 * Bytes written to sockets in one turn of the event loop; the rest is interleaved with other work.
 */
const BYTES_AT_ONCE = 512 * 1024
/**
 * Maximum number of bytes waiting in one queue. Further frames are dropped, as for sockets that do
 * not keep up.
 */
const MOST_WAITING_BYTES = 16 * 1024 * 1024

interface Delivery {
  readonly frame: Buffer
  readonly connections: readonly Connection[]
}

interface Line {
  readonly deliveries: Delivery[]
  bytes: number
}

/**
 * Writes frames to sockets: those of one queue, such as that of a user or a channel, in order of
 * arrival; many or long ones in slices.
 */
export class FanOut {
  readonly #lines = new Map<string, Line>()

  send(name: string, connections: Iterable<Connection>, frame: Buffer): void {
    const all = [...connections]
    const line = this.#lines.get(name)
    if (line) return this.#wait(line, { frame, connections: all })
    if (frame.length * all.length <= BYTES_AT_ONCE)
      return all.forEach((connection) => connection.send(frame))
    const opened: Line = { deliveries: [], bytes: 0 }
    this.#lines.set(name, opened)
    this.#wait(opened, { frame, connections: all })
    void this.#deliver(name, opened)
  }

  #wait(line: Line, delivery: Delivery): void {
    if (line.deliveries.length > 0 && line.bytes + delivery.frame.length > MOST_WAITING_BYTES)
      return
    line.deliveries.push(delivery)
    line.bytes += delivery.frame.length
  }

  async #deliver(name: string, line: Line): Promise<void> {
    for (let next = line.deliveries[0]; next; next = line.deliveries[0]) {
      await this.#write(next)
      line.deliveries.shift()
      line.bytes -= next.frame.length
    }
    this.#lines.delete(name)
  }

  async #write({ frame, connections }: Delivery): Promise<void> {
    let end = performance.now() + SLICE_MILLISECONDS
    let written = 0
    for (const connection of connections) {
      connection.send(frame)
      written += frame.length
      if (written < BYTES_AT_ONCE && performance.now() < end) continue
      await nextTurn()
      written = 0
      end = performance.now() + SLICE_MILLISECONDS
    }
  }
}
