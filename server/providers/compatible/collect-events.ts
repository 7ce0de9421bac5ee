import type { ChatCompletion } from '#contract/completions.ts'
import { addFrame, newAnswer, toCollected } from '../collect-completion.ts'
import { isErrorFrame, toThrown } from '../read-frames.ts'
import type { FaultContext } from '../upstream-faults.ts'
import { createStreamDecoder } from './decode-stream.ts'

/** Whether the bytes of a whole answer are an event stream, whatever their type says. */
export const isEventStream = (bytes: Buffer): boolean => /^(data|event|id|retry)?:/.test(bytes.toString('utf8', 0, 100).trimStart())

/** The whole answer of a stream that came although none was asked for. Throws the error it holds or ends with. */
export function collectEvents(events: Buffer, model: string, faults: FaultContext): ChatCompletion {
  const decoder = createStreamDecoder(faults, { joinsText: true })
  const answer = newAnswer()
  for (const frame of [...decoder.push(events), ...decoder.end()]) {
    if (isErrorFrame(frame)) throw toThrown(frame)
    addFrame(answer, frame)
  }
  return toCollected(answer, model)
}
