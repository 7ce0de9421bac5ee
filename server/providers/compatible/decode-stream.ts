import { isRecord } from '../../lib/is-record.ts'
import { createSseScanner } from '../../lib/sse.ts'
import type { CompletionFrame } from '../provider.ts'
import type { FrameDecoder } from '../read-frames.ts'
import { toReportedFrame, type FaultContext } from '../upstream-faults.ts'
import { toChunk } from './convert-chunk.ts'
import { createFrameRepeater } from './repeat-frame.ts'

const END_MARK = '[DONE]'
const EVENT_END = '\n\n'
/** Events of a piece that are read one by one until a run of frames is found that only repeat. */
const MOST_SINGLE_EVENTS = 3

function parseObject(data: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/**
 * Reads the event stream of a chat-completions provider. Events that are not JSON objects are skipped. With `joinsText`,
 * frames that came together and differ in their text alone become one frame.
 */
export function createStreamDecoder(context: FaultContext, { joinsText = false } = {}): FrameDecoder {
  const scanner = createSseScanner()
  const repeater = createFrameRepeater()
  let isDone = false
  let isFinished = false

  function toFrame(data: string): CompletionFrame | null {
    const value = parseObject(data)
    if (!value) return null
    if (value['error'] !== undefined && value['error'] !== null) return toReportedFrame(value['error'], context)
    const chunk = toChunk(value)
    if (chunk?.choices.some((choice) => choice.finish_reason)) isFinished = true
    if (chunk) repeater.learn(data, chunk)
    return chunk
  }

  function toFrames(events: readonly string[]): CompletionFrame[] {
    const frames: CompletionFrame[] = []
    let joined = ''
    const flush = (): void => {
      if (joined !== '') frames.push(repeater.repeat(joined))
      joined = ''
    }
    for (const data of events) {
      if (isDone) break
      const text = repeater.read(data)
      if (text !== null) {
        joined += text
        if (!joinsText) flush()
        continue
      }
      flush()
      if (data.startsWith('[') && data.trim() === END_MARK) isDone = true
      else {
        const frame = toFrame(data)
        if (frame) frames.push(frame)
      }
    }
    flush()
    return frames
  }

  /** Frames that only repeat, as far as a piece begins with them; answers where the rest begins. */
  function takeRun(bytes: Buffer, frames: CompletionFrame[]): number {
    const run = isDone || !scanner.isBetweenEvents() ? null : repeater.readRun(bytes, joinsText)
    if (!run) return 0
    for (const text of run.texts) if (text !== '') frames.push(repeater.repeat(text))
    return run.length
  }

  function push(chunk: Buffer): CompletionFrame[] {
    const frames: CompletionFrame[] = []
    let rest = chunk
    for (let single = 0; single < MOST_SINGLE_EVENTS; single += 1) {
      rest = rest.subarray(takeRun(rest, frames))
      const end = rest.indexOf(EVENT_END)
      if (end === -1) break
      frames.push(...toFrames(scanner.push(rest.subarray(0, end + EVENT_END.length))))
      rest = rest.subarray(end + EVENT_END.length)
    }
    if (rest.length > 0) frames.push(...toFrames(scanner.push(rest)))
    return frames
  }

  return {
    push,
    end() {
      const frames = toFrames(scanner.end())
      const message = `The connection "${context.name}" ended its answer before it was complete.`
      return isDone || isFinished ? frames : [...frames, { error: { message, code: 'upstream_incomplete', status: 502 } }]
    },
    isDone: () => isDone,
  }
}
