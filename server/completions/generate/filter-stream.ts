import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { StreamFilter } from '../../extensions/filters.ts'
import type { CompletionFrame } from '../../providers/index.ts'

/**
 * Passes frames through the filters in order; without filters the frames are returned as they are,
 * at no cost.
 */
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
    const kept =
      'choices' in frame ? await filterChunk(frame as ChatCompletionChunk, filters) : frame
    if (kept) yield kept
  }
}

/** Returns the chunk after all filters; null if one of them drops it. */
export async function filterChunk(
  chunk: ChatCompletionChunk,
  filters: readonly StreamFilter[],
): Promise<ChatCompletionChunk | null> {
  let kept: ChatCompletionChunk | null = chunk
  for (const filter of filters) {
    if (kept === null) break
    kept = await filter(kept)
  }
  return kept
}
