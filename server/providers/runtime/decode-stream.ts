import { newId, nowSeconds } from '../../lib/ids.ts'
import { createLineScanner } from '../../lib/lines.ts'
import { parseObjects } from '../../lib/mend-json.ts'
import { isTooRich } from '../compatible/parse-frame.ts'
import type { CompletionFrame } from '../provider.ts'
import { isErrorFrame, type FrameDecoder } from '../read-frames.ts'
import {
  incomplete,
  toErrorFrame,
  toReportedFrame,
  unreadable,
  type FaultContext,
} from '../upstream-faults.ts'
import { toDelta, toFinishReason, toFrame, toUsage, type AnswerHead } from './convert-chunk.ts'

/**
 * Reads the NDJSON answer of the local runtime. An answer with a line that cannot be read is
 * incomplete; noise is skipped.
 */
export function createRuntimeDecoder(model: string, context: FaultContext): FrameDecoder {
  const scanner = createLineScanner()
  const head: AnswerHead = { id: `chatcmpl-${newId()}`, created: nowSeconds(), model }
  let hasBegun = false
  let isDone = false
  let toolCalls = 0

  function toFrames(line: Record<string, unknown>): CompletionFrame[] {
    if (line['error'] !== undefined) return [toReportedFrame(line['error'], context)]
    const delta = toDelta(line, head, toolCalls)
    if (Array.isArray(delta['tool_calls'])) toolCalls += delta['tool_calls'].length
    const frames: CompletionFrame[] = []
    if (Object.keys(delta).length > 0 || !hasBegun)
      frames.push(toFrame(head, hasBegun ? delta : { role: 'assistant', ...delta }))
    hasBegun = true
    if (line['done'] !== true) return frames
    isDone = true
    // Clients read a choice of every frame unless they asked for token counts, so the counts ride
    // on the last one.
    return [
      ...frames,
      { ...toFrame(head, {}, toFinishReason(line, toolCalls)), usage: toUsage(line) },
    ]
  }

  function read(texts: readonly string[], fault = unreadable): CompletionFrame[] {
    const frames: CompletionFrame[] = []
    for (const text of texts) {
      const lines = isDone ? [] : isTooRich(text) ? null : parseObjects(text)
      if (lines) for (const line of lines) frames.push(...toFrames(line))
      else frames.push(toErrorFrame(fault(context)))
    }
    return frames
  }

  return {
    push: (chunk) => read(scanner.push(chunk)),
    end() {
      const rest = scanner.end()
      const frames = rest === null ? [] : read([rest], incomplete)
      return isDone || frames.some(isErrorFrame)
        ? frames
        : [...frames, toErrorFrame(incomplete(context))]
    },
    isDone: () => isDone,
    isComplete: () => isDone,
  }
}
