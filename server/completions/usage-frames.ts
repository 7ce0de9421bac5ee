import type { ChatCompletionChunk } from '#contract/completions.ts'
import { isRecord } from '../lib/is-record.ts'

/** Whether a caller asked for token counts at the end of a stream. */
export const wantsUsage = (streamOptions: unknown): boolean => isRecord(streamOptions) && streamOptions['include_usage'] === true

/** A frame that holds nothing but token counts. */
export const isUsageFrame = ({ choices, usage }: ChatCompletionChunk): boolean => choices.length === 0 && Boolean(usage)
