import type { ChatCompletionChunk } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'

/** Returns true if a caller asked for token counts at the end of a stream. */
export const wantsUsage = (streamOptions: unknown): boolean =>
  isRecord(streamOptions) && streamOptions['include_usage'] === true

/** Returns true for a frame that holds nothing but token counts. */
const isUsageFrame = ({ choices, usage }: ChatCompletionChunk): boolean =>
  choices.length === 0 && Boolean(usage)

/**
 * Returns a chunk with its token counts placed as the reader expects. Only callers that asked for
 * them get a separate frame without choices, because other clients read a choice of every frame.
 */
export function placeUsage(
  chunk: ChatCompletionChunk,
  isWanted: boolean,
): readonly ChatCompletionChunk[] {
  if (isUsageFrame(chunk)) return isWanted ? [chunk] : []
  const { usage, ...rest } = chunk
  const isEnd = chunk.choices.some(({ finish_reason: reason }) => reason != null)
  return isWanted && usage && isEnd ? [rest, { ...rest, choices: [], usage }] : [chunk]
}
