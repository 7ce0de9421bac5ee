import { toErrorBody } from '../../lib/to-error.ts'
import { upstreamFailed, type ServiceError } from '../../lib/errors.ts'
import { relay, type RelayedFormat } from '../compatible/relay.ts'
import type { MessagesRelayCall } from '../provider.ts'
import type { Upstream } from '../upstream.ts'

/** Quotes inside texts are escaped, so that this is always the type of the last event or of an error. */
const END_MARKS = [Buffer.from('"message_stop"'), Buffer.from('event: error')]

const toBrokenEnd = (fault: ServiceError): string =>
  `\nevent: error\ndata: ${JSON.stringify({ type: 'error', error: toErrorBody(fault, 'messages')['error'] })}\n\n`

const format: RelayedFormat = {
  path: '/messages',
  toBrokenEnd,
  createEnding() {
    let hasEnded = false
    return {
      see(bytes) {
        hasEnded ||= END_MARKS.some((mark) => bytes.includes(mark))
      },
      missing: ({ name }) =>
        hasEnded ? '' : toBrokenEnd(upstreamFailed(`The connection "${name}" ended its answer before it was complete.`)),
    }
  },
}

/** Hands a call in the messages format to an upstream that speaks it, and its reply to the caller, as bytes. */
export const relayMessages = (upstream: Upstream, call: MessagesRelayCall): Promise<void> => relay(upstream, call, format)
