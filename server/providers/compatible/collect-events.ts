import type { ChatCompletion } from '#contract/completions.ts'
import { OPEN_OBJECT } from '../../lib/json/json-bytes.ts'
import { nextTurn } from '../../lib/turns.ts'
import { addFrame, newAnswer, toCollected } from '../upstream/collect-completion.ts'
import type { CompletionFrame } from '../provider.ts'
import { isErrorFrame, toThrown } from '../upstream/read-frames.ts'
import type { FaultContext } from '../upstream/upstream-faults.ts'
import { StreamDecoder } from './decode-stream.ts'

/** Returns true if the bytes of a whole answer are an event stream, whatever their type says. */
export const isEventStream = (bytes: Buffer): boolean =>
  bytes[0] !== OPEN_OBJECT &&
  /^(data|event|id|retry)?:/.test(bytes.toString('utf8', 0, 100).trimStart())

const SLICE_BYTES = 128 * 1024

/**
 * Collects the whole answer from a stream that was sent although none was requested. Throws the
 * error it contains or ends with.
 */
export async function collectEvents(
  events: Buffer,
  model: string,
  faults: FaultContext,
): Promise<ChatCompletion> {
  const decoder = new StreamDecoder({ faults, joinsText: true })
  const answer = newAnswer()
  function add(frames: readonly CompletionFrame[]): void {
    for (const frame of frames) {
      if (isErrorFrame(frame)) throw toThrown(frame)
      addFrame(answer, frame)
    }
  }
  for (let at = 0; at < events.length && !decoder.isDone(); at += SLICE_BYTES) {
    if (at > 0) await nextTurn()
    add(decoder.push(events.subarray(at, at + SLICE_BYTES)))
  }
  add(decoder.end())
  return toCollected(answer, model)
}
