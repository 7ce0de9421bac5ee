import { isRecord, type Fields } from '../../lib/is-record.ts'

/**
 * Format name that distinguishes signatures of this format from others, which it would reject.
 * Model routers use the same name.
 */
const FORMAT = 'anthropic-claude-v1'

/** Returns true if a block holds reasoning the provider expects back unchanged. */
export const isSealed = ({ type, signature }: Fields): boolean =>
  type === 'redacted_thinking' ||
  (type === 'thinking' && typeof signature === 'string' && signature !== '')

/** Converts a sealed block into a reasoning detail of the internal format. */
export function toSealedDetail(block: Fields, index: number): Fields {
  const { thinking, signature, data } = block
  if (block['type'] === 'redacted_thinking')
    return { type: 'reasoning.encrypted', index, data, format: FORMAT }
  return { type: 'reasoning.text', index, text: thinking, signature, format: FORMAT }
}

/**
 * Returns the blocks a message has to begin with so that the provider recognises its own reasoning;
 * those sealed by others are left out.
 */
export function toSealedBlocks(details: unknown): Fields[] {
  const own = (Array.isArray(details) ? details.filter(isRecord) : []).filter(
    ({ format }) => format === FORMAT,
  )
  return own.flatMap(({ type, text, signature, data }): Fields[] => {
    if (type === 'reasoning.encrypted' && typeof data === 'string')
      return [{ type: 'redacted_thinking', data }]
    return typeof signature === 'string' && signature !== ''
      ? [{ type: 'thinking', thinking: text ?? '', signature }]
      : []
  })
}

/** Returns true if the model decides whether and how much to think. */
export const isAdaptiveThinking = (thinking: unknown): thinking is Fields =>
  isRecord(thinking) && thinking['type'] === 'adaptive'

/** Returns true if the caller decides whether to think, in the fields of this format. */
export const isChosenThinking = (thinking: unknown): thinking is Fields =>
  isRecord(thinking) &&
  (thinking['type'] === 'disabled' ||
    (thinking['type'] === 'enabled' && typeof thinking['budget_tokens'] === 'number'))
