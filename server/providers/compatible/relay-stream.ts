import type { ServerResponse } from 'node:http'
import type { ServiceError } from '../../lib/errors.ts'
import type { OutgoingReply } from '../../lib/outgoing/outgoing.ts'
import type { ReplySink } from '../../lib/outgoing/paced-delivery.ts'
import { whenSent } from '../../lib/serving/when-sent.ts'
import { CallerWriter } from '../upstream/caller-writer.ts'
import { KindReader } from '../upstream/reply-kind.ts'
import {
  incomplete,
  toNetworkFault,
  unreadable,
  type FaultContext,
} from '../upstream/upstream-faults.ts'
import { createFrameGuard, type FrameGuard } from './guard-frames.ts'
import type { RelayedFormat } from './relayed-format.ts'

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}
const NOTHING = Buffer.alloc(0)

interface StreamRelayOptions {
  readonly response: ServerResponse
  readonly signal: AbortSignal
  readonly faults: FaultContext
  readonly format: RelayedFormat
  /** Converts a document into the stream the caller asked for; throws if it is not an answer. */
  readonly toStream: (document: Buffer) => Promise<string>
}

/**
 * Reply being relayed to a caller that asked for a stream. A class that is its own sink, because
 * one is created for every stream.
 */
class StreamRelay implements ReplySink {
  readonly #reply: OutgoingReply
  readonly #options: StreamRelayOptions
  readonly #reader: KindReader
  readonly #guard: FrameGuard
  readonly #caller: CallerWriter
  #hasEnded = false
  #settle: { resolve: () => void; reject: (fault: ServiceError) => void } = {
    resolve: () => undefined,
    reject: () => undefined,
  }

  constructor(reply: OutgoingReply, options: StreamRelayOptions) {
    this.#reply = reply
    this.#options = options
    this.#reader = new KindReader(reply.headers['content-type'])
    this.#guard = createFrameGuard(options.format)
    this.#caller = new CallerWriter(options.response, reply)
  }

  /** Resolves when the reply has ended; rejects only before its head was written. */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#reply.read(this)
      // A first chunk that is already available is sent together with the headers, and a document
      // may still turn out to be invalid.
      if (this.#hasEnded || !this.#caller.isEmpty() || this.#reader.kind === 'document') return
      this.#begin()
      this.#options.response.flushHeaders()
    })
  }

  room(length: number): Buffer | null {
    return this.#guard.room(length)
  }

  onData(chunk: Buffer): boolean {
    if (chunk.length === 0) return true
    if (this.#hasEnded) this.#reply.abort()
    else {
      const events = this.#reader.push(chunk)
      if (events !== null) this.#pass(events)
    }
    return true
  }

  onEnd(): void {
    if (this.#hasEnded) return
    if (this.#reader.kind === 'document') void this.#convert()
    else this.#endWith(incomplete(this.#options.faults), this.#guard.end())
  }

  onFailure(error: unknown): void {
    if (this.#hasEnded) return
    if (this.#options.signal.aborted) this.#finish(NOTHING)
    else this.#endWith(toNetworkFault(error, this.#options.faults), this.#guard.end())
  }

  #pass(events: Buffer): void {
    const bytes = this.#guard.push(events)
    if (this.#guard.isDone()) this.#finish(bytes)
    else if (this.#guard.isBroken()) {
      this.#endWith(unreadable(this.#options.faults), bytes)
      this.#reply.abort()
    } else if (this.#guard.hasFailed()) {
      // The upstream's error is passed on to the caller; anything the upstream may still send is
      // ignored.
      this.#finish(Buffer.concat([bytes, Buffer.from(this.#options.format.toEnd(true))]))
      this.#reply.abort()
    } else if (bytes.length > 0) {
      this.#begin()
      this.#caller.write(bytes)
    }
  }

  async #convert(): Promise<void> {
    try {
      this.#finish(Buffer.from(await this.#options.toStream(this.#reader.take())))
    } catch (error) {
      this.#endWith(toNetworkFault(error, this.#options.faults), NOTHING)
    }
  }

  /**
   * Ends the stream as specified: cleanly only if nothing of the answer is missing. A failing
   * document is answered with an error status as long as that is possible.
   */
  #endWith(fault: ServiceError, rest: Buffer): void {
    const [guard, { format, response }] = [this.#guard, this.#options]
    if (guard.isDone()) return this.#finish(rest)
    if (this.#reader.kind === 'document' && !response.headersSent) {
      this.#hasEnded = true
      return this.#settle.reject(fault)
    }
    const ending =
      guard.isComplete() || guard.hasFailed()
        ? format.toEnd(guard.hasFailed())
        : format.toBrokenEnd(fault)
    this.#finish(Buffer.concat([rest, Buffer.from(ending)]))
  }

  #begin(): void {
    const { response } = this.#options
    if (!response.headersSent) response.writeHead(200, STREAM_HEADERS)
  }

  #finish(last: Buffer): void {
    this.#hasEnded = true
    const { response } = this.#options
    whenSent(response, () => this.#guard.giveBack())
    // An answer that is sent in one piece needs no chunked encoding.
    if (!response.headersSent && this.#caller.isEmpty())
      response.writeHead(200, { ...STREAM_HEADERS, 'Content-Length': last.length })
    else this.#begin()
    this.#caller.end(last)
    this.#settle.resolve()
  }
}

/** Relays a reply as the stream the caller asked for, whatever its content type. */
export const relayStream = (reply: OutgoingReply, options: StreamRelayOptions): Promise<void> =>
  new StreamRelay(reply, options).run()
