import type { CompletionFrame } from '../providers/provider.ts'
import { isErrorFrame, type FrameDecoder } from '../providers/upstream/read-frames.ts'

/** Splits bytes at the given offsets; offsets outside are ignored. */
export function cutBytes(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const inside = cuts.filter((cut) => cut > 0 && cut < bytes.length)
  const ends = [...new Set([...inside, bytes.length])].toSorted((left, right) => left - right)
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
}

/**
 * Returns the frames a decoder finds in bytes that arrive in these chunks, up to the first error.
 */
export function decodePieces(decoder: FrameDecoder, pieces: readonly Buffer[]): CompletionFrame[] {
  const frames = pieces.flatMap((piece) => (decoder.isDone() ? [] : decoder.push(piece)))
  const all = decoder.isDone() ? frames : [...frames, ...decoder.end()]
  const failure = all.findIndex(isErrorFrame)
  return failure === -1 ? all : all.slice(0, failure + 1)
}

/** Returns the combined text, reasoning, tool calls, usage and error of frames. */
export function summarize(frames: readonly CompletionFrame[]) {
  const summary = {
    content: '',
    reasoning: '',
    calls: [] as string[],
    finish: null as string | null,
    usage: null as unknown,
    error: null as string | null,
  }
  for (const frame of frames) {
    if (isErrorFrame(frame)) {
      summary.error = frame.error.message
      continue
    }
    summary.usage = frame.usage ?? summary.usage
    for (const { delta, finish_reason: finish } of frame.choices) {
      summary.content += delta.content ?? ''
      summary.reasoning += delta.reasoning_content ?? ''
      for (const call of delta.tool_calls ?? [])
        summary.calls.push(
          `${call.index} ${call.function?.name ?? ''} ${call.function?.arguments ?? ''}`,
        )
      summary.finish = finish ?? summary.finish
    }
  }
  return summary
}
