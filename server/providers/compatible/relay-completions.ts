import type { ServiceError } from '../../lib/errors.ts'
import { collectEvents } from './collect-events.ts'
import { mendChunk } from './convert-chunk.ts'
import { isReadableCompletion, toCompletion, toSingleChunk } from './convert-completion.ts'
import { completionFrames } from './guard-frames.ts'
import type { RelayedFormat } from './relayed-format.ts'

const END_FRAME = 'data: [DONE]\n\n'

const toFrame = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

/**
 * The caller's SDK shows the message, clients of the reference system the `detail`, and the stream
 * still ends as specified.
 */
const toBrokenEnd = ({ message, code }: ServiceError): string =>
  toFrame({ error: { message, type: 'server_error', code, detail: message } }) + END_FRAME

/** Format for relaying chat completions between two sides that both speak them. */
export const completionsFormat: RelayedFormat = {
  ...completionFrames,
  path: '/chat/completions',
  // SDKs expect a choice in every chunk, with its index.
  mend: (value) => {
    const mended = mendChunk(value)
    return mended === null || Array.isArray(mended['choices']) || mended['error'] != null
      ? mended
      : { ...mended, choices: [] }
  },
  mendDocument: (document, faults) =>
    isReadableCompletion(document) ? document : { ...toCompletion(document, '', faults) },
  toEnd: () => END_FRAME,
  toBrokenEnd,
  toStream: (document, faults) =>
    toFrame(toSingleChunk(toCompletion(document, '', faults))) + END_FRAME,
  toDocument: (events, faults) => collectEvents(events, '', faults),
}
