import { isRecord, type Fields } from '../../lib/is-record.ts'

/** Kind of a part that carries a block which only the messages API can express. */
const OWN_BLOCK = 'messages_block'

/** Converts a block without a counterpart in chat completions into a part of the internal format. */
export const toOwnPart = (block: Fields): { type: 'messages_block'; messages_block: Fields } => ({
  type: OWN_BLOCK,
  messages_block: block,
})

/** Returns true for such a part. */
export const isOwnPart = (part: Fields): boolean => toOwnBlock(part) !== null

/** Returns the block of such a part as it came; null for all other parts. */
export function toOwnBlock(part: Fields): Record<string, unknown> | null {
  const block = part['type'] === OWN_BLOCK ? part[OWN_BLOCK] : null
  return isRecord(block) ? block : null
}
