import { upstreamFailed } from '../../lib/errors.ts'

/** Size at which a message of a server is refused, as for OpenAPI servers. */
const LARGEST_MESSAGE = 32 * 1024 * 1024
/** Ends of an event in a stream, whichever line ends its server uses. */
const EVENT_ENDS = ['\n\n', '\r\r', '\r\n\r\n']
const LONGEST_END = 4

/** Counts the bytes of a body; in a stream of events, those since the end of the last event. */
class MessageSize {
  readonly #hasEvents: boolean
  #size = 0
  #tail: Uint8Array = Buffer.alloc(0)

  constructor(hasEvents: boolean) {
    this.#hasEvents = hasEvents
  }

  add(piece: Uint8Array): number {
    this.#size += piece.length
    if (!this.#hasEvents) return this.#size
    const seen = Buffer.concat([this.#tail, piece])
    this.#tail = seen.subarray(1 - LONGEST_END)
    for (const end of EVENT_ENDS) {
      const at = seen.lastIndexOf(end)
      if (at >= 0) this.#size = Math.min(this.#size, seen.length - at - end.length)
    }
    return this.#size
  }
}

/**
 * Returns a reply that fails at a message that is too large: the library keeps a message until its
 * end, so that one without an end would fill the memory of the gateway.
 */
export function limitReply(reply: Response): Response {
  const { body, status, statusText, headers } = reply
  if (!body) return reply
  const size = new MessageSize(/^text\/event-stream/i.test(headers.get('content-type') ?? ''))
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      if (size.add(piece) > LARGEST_MESSAGE)
        throw upstreamFailed('The reply of the tool server is too large.')
      controller.enqueue(piece)
    },
  })
  return new Response(body.pipeThrough(limit), { status, statusText, headers: [...headers] })
}
