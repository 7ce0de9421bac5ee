import type { ServiceError } from '../../lib/errors.ts'
import { collectEvents } from './collect-events.ts'
import { mendChunk } from './convert-chunk.ts'
import { isReadableCompletion, toCompletion, toSingleChunk } from './convert-completion.ts'
import { completionFrames } from './guard-frames.ts'
import type { RelayedFormat } from './relayed-format.ts'

const END_FRAME = 'data: [DONE]\n\n'

const toFrame = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

/** A caller's SDK shows the sentence, and the stream still ends as promised. */
const toBrokenEnd = ({ message, code }: ServiceError): string =>
  toFrame({ error: { message, type: 'server_error', code } }) + END_FRAME

/** Chat completions between two sides that both speak them. */
export const completionsFormat: RelayedFormat = {
  ...completionFrames,
  path: '/chat/completions',
  // SDKs look for a choice in every chunk, and for its place.
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
