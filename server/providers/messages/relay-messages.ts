import { toErrorBody } from '../../lib/serving/to-error.ts'
import type { ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Verdict } from '../compatible/guard-frames.ts'
import { relay } from '../compatible/relay.ts'
import type { RelayedFormat } from '../compatible/relayed-format.ts'
import type { MessagesRelayCall } from '../provider.ts'
import { isUntypedError } from '../upstream/reported-fault.ts'
import type { Upstream } from '../upstream/upstream.ts'

const toBrokenEnd = (fault: ServiceError): string =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: toErrorBody(fault, 'messages')['error'] })}\n\n`

function createJudge() {
  let isFinished = false
  return ({ type, delta }: Record<string, unknown>): Verdict => {
    if (type === 'message_stop') return 'done'
    if (type === 'error') return 'failed'
    isFinished ||=
      type === 'message_delta' && isRecord(delta) && typeof delta['stop_reason'] === 'string'
    return isFinished ? 'finished' : 'open'
  }
}

const toTypedError = (error: unknown): Record<string, unknown> => ({
  type: 'error',
  error: isRecord(error)
    ? { type: 'api_error', ...error }
    : { type: 'api_error', message: String(error) },
})

/**
 * Format for relaying messages. A response of the other kind is rejected: neither kind of this
 * format can be converted into the other byte for byte.
 */
const format: RelayedFormat = {
  path: '/messages',
  mendDocument: (document) => (Array.isArray(document['content']) ? document : null),
  judging: createJudge,
  mend: (value) => (isUntypedError(value) ? toTypedError(value['error']) : value),
  // SDKs ignore events without a name.
  eventName: ({ type }) => (typeof type === 'string' && /^\w+$/.test(type) ? type : null),
  textOf({ type, delta }) {
    const text = type === 'content_block_delta' && isRecord(delta) ? delta['text'] : null
    return typeof text === 'string' && text !== '' ? { field: 'text', text } : null
  },
  toEnd: (hasFailed) => (hasFailed ? '' : 'event: message_stop\ndata: {"type":"message_stop"}\n\n'),
  toBrokenEnd,
  toStream: () => null,
  toDocument: () => null,
}

/**
 * Relays a call in the messages format to an upstream that speaks it, and its reply to the caller,
 * as bytes.
 */
export const relayMessages = (upstream: Upstream, call: MessagesRelayCall): Promise<void> =>
  relay(upstream, call, format)
