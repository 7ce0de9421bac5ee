import { isRecord } from '../../lib/is-record.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { createLineScanner } from '../../lib/lines.ts'
import type { CompletionFrame } from '../provider.ts'
import type { FrameDecoder } from '../read-frames.ts'
import { incomplete, toErrorFrame, toReportedFrame, type FaultContext } from '../upstream-faults.ts'
import { toDelta, toFinishReason, toFrame, toUsage, type AnswerHead } from './convert-chunk.ts'

function parseLine(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Reads the NDJSON answer of the local runtime. Lines that are not JSON objects are skipped. */
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
    if (Object.keys(delta).length > 0 || !hasBegun) frames.push(toFrame(head, hasBegun ? delta : { role: 'assistant', ...delta }))
    hasBegun = true
    if (line['done'] !== true) return frames
    isDone = true
    return [...frames, toFrame(head, {}, toFinishReason(line, toolCalls)), { ...toFrame(head, {}), choices: [], usage: toUsage(line) }]
  }

  function read(texts: readonly string[]): CompletionFrame[] {
    const frames: CompletionFrame[] = []
    for (const text of texts) {
      const line = isDone ? null : parseLine(text)
      if (line) frames.push(...toFrames(line))
    }
    return frames
  }

  return {
    push: (chunk) => read(scanner.push(chunk)),
    end() {
      const rest = scanner.end()
      const frames = rest === null ? [] : read([rest])
      return isDone ? frames : [...frames, toErrorFrame(incomplete(context))]
    },
    isDone: () => isDone,
    isComplete: () => isDone,
  }
}
