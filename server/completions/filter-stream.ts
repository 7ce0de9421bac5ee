import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { CompletionFrame } from '../providers/index.ts'

/** Looks at or changes each chunk of an answer before anybody else sees it. */
export type StreamFilter = (chunk: ChatCompletionChunk) => ChatCompletionChunk | Promise<ChatCompletionChunk>

/** Those of every answer, in order. */
export const STREAM_FILTERS: readonly StreamFilter[] = []

/** Sends frames through the filters in order; without filters they come back as they are, at no cost. */
export function filterStream(
  frames: AsyncGenerator<CompletionFrame, void, void>,
  filters: readonly StreamFilter[],
): AsyncGenerator<CompletionFrame, void, void> {
  return filters.length === 0 ? frames : runFilters(frames, filters)
}

async function* runFilters(
  frames: AsyncGenerator<CompletionFrame, void, void>,
  filters: readonly StreamFilter[],
): AsyncGenerator<CompletionFrame, void, void> {
  for await (const frame of frames) {
    if (!('choices' in frame)) {
      yield frame
      continue
    }
    let chunk = frame as ChatCompletionChunk
    for (const filter of filters) chunk = await filter(chunk)
    yield chunk
  }
}
