import type { IncomingMessage as AnyRequest } from 'node:http'
import { IncomingMessage } from '../node-http.ts'

/** Takes the body of a request piece by piece; nothing it throws may get out. */
export interface BodySink {
  take(piece: Buffer): void
  end(): void
}

/**
 * The request of every call. Its body goes straight from the HTTP parser to whoever reads it:
 * through the queue of a stream it needs several turns of the queue of ticks, which callers wait
 * for.
 */
export class GatewayRequest extends IncomingMessage {
  #sink: BodySink | null = null

  /** From now on the body goes to `sink`; false when some of it has come already. */
  readInto(sink: BodySink): boolean {
    if (this.complete || this.destroyed || this.readableFlowing || this.readableLength > 0)
      return false
    this.#sink = sink
    return true
  }

  /** What is still to come is left to the stream, which takes no more than fits into its queue. */
  stopReading(): void {
    this.#sink = null
  }

  override push(piece: unknown, encoding?: BufferEncoding): boolean {
    const sink = this.#sink
    if (sink === null) return super.push(piece, encoding)
    if (piece !== null) {
      sink.take(piece as Buffer)
      return true
    }
    this.#sink = null
    // The stream ends too, which is how its connection learns that the request is over.
    const goesOn = super.push(null)
    sink.end()
    return goesOn
  }
}

/** Plain servers, such as those of tests, have requests of another class. */
export const isGatewayRequest = (request: AnyRequest): request is GatewayRequest =>
  request instanceof GatewayRequest
