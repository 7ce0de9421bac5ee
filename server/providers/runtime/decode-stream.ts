import { newId, nowSeconds } from '../../lib/ids.ts'
import { LineScanner } from '../../lib/bytes/lines.ts'
import { parseObjects } from '../../lib/json/mend-json.ts'
import { isTooRich } from '../compatible/parse-frame.ts'
import type { CompletionFrame } from '../provider.ts'
import { isErrorFrame, type FrameDecoder } from '../upstream/read-frames.ts'
import {
  incomplete,
  toErrorFrame,
  toReportedFrame,
  unreadable,
  type FaultContext,
} from '../upstream/upstream-faults.ts'
import { toDelta, toFinishReason, toFrame, toUsage, type AnswerHead } from './convert-chunk.ts'

/**
 * Reads the NDJSON answer of the local runtime. An answer with an unreadable line is incomplete;
 * noise is skipped.
 */
export class RuntimeDecoder implements FrameDecoder {
  readonly #faults: FaultContext
  readonly #head: AnswerHead
  readonly #scanner = new LineScanner()
  #hasBegun = false
  #isDone = false
  #toolCalls = 0

  constructor({ model, faults }: { model: string; faults: FaultContext }) {
    this.#faults = faults
    this.#head = { id: `chatcmpl-${newId()}`, created: nowSeconds(), model }
  }

  push(chunk: Buffer): CompletionFrame[] {
    return this.#read(this.#scanner.push(chunk))
  }

  end(): CompletionFrame[] {
    const rest = this.#scanner.end()
    const frames = rest === null ? [] : this.#read([rest], incomplete)
    return this.#isDone || frames.some(isErrorFrame)
      ? frames
      : [...frames, toErrorFrame(incomplete(this.#faults))]
  }

  isDone(): boolean {
    return this.#isDone
  }

  isComplete(): boolean {
    return this.#isDone
  }

  #read(texts: readonly string[], fault = unreadable): CompletionFrame[] {
    const frames: CompletionFrame[] = []
    for (const text of texts) {
      const lines = this.#isDone ? [] : isTooRich(text) ? null : parseObjects(text)
      if (lines) for (const line of lines) frames.push(...this.#toFrames(line))
      else frames.push(toErrorFrame(fault(this.#faults)))
    }
    return frames
  }

  #toFrames(line: Record<string, unknown>): CompletionFrame[] {
    if (line['error'] !== undefined) return [toReportedFrame(line['error'], this.#faults)]
    const head = this.#head
    const delta = toDelta(line, head, this.#toolCalls)
    if (Array.isArray(delta['tool_calls'])) this.#toolCalls += delta['tool_calls'].length
    const frames: CompletionFrame[] = []
    const scores = line['logprobs']
    if (Object.keys(delta).length > 0 || scores !== undefined || !this.#hasBegun)
      frames.push(
        toFrame(head, this.#hasBegun ? delta : { role: 'assistant', ...delta }, { scores }),
      )
    this.#hasBegun = true
    if (line['done'] !== true) return frames
    this.#isDone = true
    // Clients read a choice of every frame unless they asked for token counts, so the counts are
    // part of the last one.
    return [
      ...frames,
      {
        ...toFrame(head, {}, { finish: toFinishReason(line, this.#toolCalls) }),
        usage: toUsage(line),
      },
    ]
  }
}
