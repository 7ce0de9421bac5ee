import type { ChatCompletionChunk } from '#contract/completions.ts'
import { isRecord } from '../lib/is-record.ts'

/** Whether a caller asked for token counts at the end of a stream. */
export const wantsUsage = (streamOptions: unknown): boolean =>
  isRecord(streamOptions) && streamOptions['include_usage'] === true

/** A frame that holds nothing but token counts. */
const isUsageFrame = ({ choices, usage }: ChatCompletionChunk): boolean =>
  choices.length === 0 && Boolean(usage)

/**
 * A chunk as its reader expects token counts: a frame of their own without choices for who asked
 * for them, and for nobody else, as programs read a choice of every frame.
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
