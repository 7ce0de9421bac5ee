// Spans of calls to other servers. Who keeps them is set once by the gateway; without anybody a
// call goes its way untouched.
import type { IncomingHttpHeaders } from 'node:http'
import type { OutgoingReply, OutgoingRequest, OutgoingTarget } from './outgoing.ts'
import type { ReplySink } from './paced-delivery.ts'

/** One call under way. */
export interface OutgoingSpan {
  /** What tells the other side which trace the call belongs to. */
  readonly headers: Readonly<Record<string, string>>
  answered(status: number): void
  /** The last byte has come, or what went wrong; only the first call counts. */
  ended(error: Error | null): void
}

/** Begins a span for a call; told neither its path nor its body nor its headers. */
export type BeginSpan = (call: { readonly method: string; readonly origin: URL }) => OutgoingSpan

let beginSpan: BeginSpan | null = null

/** Has calls traced from now on; answers how to end that. */
export function traceOutgoing(begin: BeginSpan): () => void {
  beginSpan = begin
  return () => {
    if (beginSpan === begin) beginSpan = null
  }
}

/** Hands a reply on and hears of its end. */
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

  async bytes(limit: number): Promise<Buffer> {
    try {
      return await this.#reply.bytes(limit)
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

/** The same target, whose calls are traced while somebody keeps traces. */
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
