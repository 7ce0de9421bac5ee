// Spans of calls to other servers. Their collector is set once by the gateway; without one a call
// is not changed.
import type { IncomingHttpHeaders } from 'node:http'
import type { OutgoingReply, OutgoingRequest, OutgoingTarget } from './outgoing.ts'
import type { ReplySink } from './paced-delivery.ts'

/** One running call. */
export interface OutgoingSpan {
  /** Headers that tell the server to which trace the call belongs. */
  readonly headers: Readonly<Record<string, string>>
  answered(status: number): void
  /** Called when the last byte has arrived, or with an error; only the first call counts. */
  ended(error: Error | null): void
}

/** Starts a span for a call; receives neither its path nor its body nor its headers. */
export type BeginSpan = (call: { readonly method: string; readonly origin: URL }) => OutgoingSpan

let beginSpan: BeginSpan | null = null

/** Enables tracing of calls from now on; returns a function that ends it. */
export function traceOutgoing(begin: BeginSpan): () => void {
  beginSpan = begin
  return () => {
    if (beginSpan === begin) beginSpan = null
  }
}

/** Forwards a reply and observes its end. */
class TracedReply implements OutgoingReply {
  readonly #reply: OutgoingReply
  readonly #span: OutgoingSpan

  constructor(reply: OutgoingReply, span: OutgoingSpan) {
    this.#reply = reply
    this.#span = span
  }

  get status(): number {
    return this.#reply.status
  }

  get headers(): IncomingHttpHeaders {
    return this.#reply.headers
  }

  read(sink: ReplySink): void {
    const span = this.#span
    this.#reply.read({
      room: (length) => sink.room?.(length) ?? null,
      onData: (chunk) => sink.onData(chunk),
      onEnd() {
        span.ended(null)
        sink.onEnd()
      },
      onFailure(error) {
        span.ended(error)
        sink.onFailure(error)
      },
    })
  }

  async *chunks(): AsyncGenerator<Buffer, void, void> {
    try {
      yield* this.#reply.chunks()
    } catch (error) {
      this.#span.ended(error as Error)
      throw error
    } finally {
      this.#span.ended(null)
    }
  }

  async bytes(limit: number, watch?: (piece: Buffer) => void): Promise<Buffer> {
    try {
      return await this.#reply.bytes(limit, watch)
    } catch (error) {
      this.#span.ended(error as Error)
      throw error
    } finally {
      this.#span.ended(null)
    }
  }

  pause(): void {
    this.#reply.pause()
  }

  resume(): void {
    this.#reply.resume()
  }

  abort(): void {
    this.#span.ended(null)
    this.#reply.abort()
  }
}

async function openTraced(
  target: OutgoingTarget,
  request: OutgoingRequest,
  { signal, span }: { readonly signal: AbortSignal; readonly span: OutgoingSpan },
): Promise<OutgoingReply> {
  try {
    const headers = { ...request.headers, ...span.headers }
    const reply = await target.open({ ...request, headers }, signal)
    span.answered(reply.status)
    return new TracedReply(reply, span)
  } catch (error) {
    span.ended(error as Error)
    throw error
  }
}

/** Returns the same target, whose calls are traced while tracing is enabled. */
export const tracedTarget = (target: OutgoingTarget, origin: string): OutgoingTarget => {
  const address = new URL(origin)
  return {
    open(request, signal) {
      const span = beginSpan?.({ method: request.method, origin: address })
      return span ? openTraced(target, request, { signal, span }) : target.open(request, signal)
    },
    retire: () => target.retire(),
    close: (reason) => target.close(reason),
  }
}
