import type { ServerResponse } from 'node:http'
import type { OutgoingReply } from '../../lib/outgoing/outgoing.ts'

/** Time after which a reader that accepts no data is disconnected. */
const SLOW_READER_MILLISECONDS = 60_000
const LARGE_PIECE = 256 * 1024

/**
 * Writes bytes to a caller; pauses the upstream for a slow caller and disconnects one that accepts
 * nothing for a minute.
 */
export class CallerWriter {
  readonly #response: ServerResponse
  readonly #reply: OutgoingReply
  #pending: Buffer[] = []
  #slow: NodeJS.Timeout | undefined

  constructor(response: ServerResponse, reply: OutgoingReply) {
    this.#response = response
    this.#reply = reply
    response.on('drain', this.#onDrain)
  }

  isEmpty(): boolean {
    return this.#pending.length === 0
  }

  /** Bytes of one upstream read are written together, still in the same turn of the event loop. */
  write(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.#pending.push(bytes) === 1) queueMicrotask(this.#flush)
  }

  end(last: Buffer | string): void {
    clearTimeout(this.#slow)
    this.#response.off('drain', this.#onDrain)
    if (last.length > 0) this.#pending.push(typeof last === 'string' ? Buffer.from(last) : last)
    if (this.#response.destroyed) return
    const pieces = this.#take()
    const end = pieces.pop()!
    if (pieces.length > 0) this.#writeAll(pieces)
    this.#response.end(end)
  }

  readonly #onDrain = (): void => {
    clearTimeout(this.#slow)
    this.#reply.resume()
  }

  readonly #flush = (): void => {
    if (this.isEmpty() || this.#response.destroyed || this.#writeAll(this.#take())) return
    this.#reply.pause()
    clearTimeout(this.#slow)
    this.#slow = setTimeout(() => this.#response.destroy(), SLOW_READER_MILLISECONDS).unref()
  }

  /**
   * Returns the waiting bytes, with small pieces merged; copying a large one would cost more than
   * writing it separately.
   */
  #take(): Buffer[] {
    const pieces = this.#pending
    this.#pending = []
    return pieces.length === 1 || pieces.some(({ length }) => length > LARGE_PIECE)
      ? pieces
      : [Buffer.concat(pieces)]
  }

  /** Writes all of it; returns false if the caller is slow. */
  #writeAll(pieces: readonly Buffer[]): boolean {
    if (pieces.length === 1) return this.#response.write(pieces[0]!)
    this.#response.cork()
    const isTaken = pieces.map((piece) => this.#response.write(piece)).at(-1) === true
    this.#response.uncork()
    return isTaken
  }
}
