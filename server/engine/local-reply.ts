import type { OutgoingReply } from '../lib/outgoing/outgoing.ts'
import {
  PacedDelivery,
  toError,
  type PieceSource,
  type ReplySink,
} from '../lib/outgoing/paced-delivery.ts'

/**
 * A response produced by the gateway itself, with the interface of responses from other servers.
 */
export class LocalReply implements OutgoingReply, PieceSource {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly #lines: AsyncIterator<unknown>
  readonly #delivery = new PacedDelivery(this)
  #isReading = false
  #isOver = false

  private constructor(status: number, type: string, lines: AsyncIterable<unknown>) {
    this.status = status
    this.headers = { 'content-type': type }
    this.#lines = lines[Symbol.asyncIterator]()
  }

  static json(value: unknown, status = 200): LocalReply {
    return new LocalReply(
      status,
      'application/json',
      (async function* one() {
        yield value
      })(),
    )
  }

  /** Returns objects as lines as they arrive; aborting early ends their source. */
  static lines(lines: AsyncIterable<unknown>): LocalReply {
    return new LocalReply(200, 'application/x-ndjson', lines)
  }

  read(sink: ReplySink): void {
    this.#delivery.read(sink)
    if (!this.#isReading) void this.#pump()
  }

  pause(): void {
    this.#delivery.pause()
  }

  resume(): void {
    this.#delivery.resume()
  }

  abort(): void {
    if (this.#isOver) return
    this.#isOver = true
    void this.#lines.return?.()
  }

  async *chunks(): AsyncGenerator<Buffer, void, void> {
    this.#isReading = true
    try {
      for (let line = await this.#lines.next(); !line.done; line = await this.#lines.next())
        yield toBytes(line.value)
    } finally {
      this.abort()
    }
  }

  async bytes(): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.chunks()) parts.push(part)
    return Buffer.concat(parts)
  }

  hold(): void {
    // Lines are few and short; those that arrive meanwhile are buffered.
  }

  goOn(): void {
    // Lines are pushed without being requested.
  }

  breakOff(): void {
    this.abort()
  }

  settle(): void {
    this.#isOver = true
  }

  async #pump(): Promise<void> {
    this.#isReading = true
    try {
      for (let line = await this.#lines.next(); !line.done; line = await this.#lines.next()) {
        if (this.#isOver) return
        this.#delivery.push(toBytes(line.value))
      }
      this.#delivery.end()
    } catch (error) {
      this.#delivery.fail(toError(error))
    }
  }
}

const toBytes = (line: unknown): Buffer => Buffer.from(`${JSON.stringify(line)}\n`)
