import { isRecord } from '../../lib/is-record.ts'

type Fields = Record<string, unknown>

/**
 * Tells seals of this format from those of others, which it would refuse. The name is the one
 * routers of models use.
 */
const FORMAT = 'anthropic-claude-v1'

/** Whether a block holds thoughts the provider wants back as they are. */
export const isSealed = ({ type, signature }: Fields): boolean =>
  type === 'redacted_thinking' ||
  (type === 'thinking' && typeof signature === 'string' && signature !== '')

/** A sealed block as a detail of reasoning in the inner language. */
export function toSealedDetail(block: Fields, index: number): Fields {
  const { thinking, signature, data } = block
  if (block['type'] === 'redacted_thinking')
    return { type: 'reasoning.encrypted', index, data, format: FORMAT }
  return { type: 'reasoning.text', index, text: thinking, signature, format: FORMAT }
}

/**
 * The blocks a message has to begin with so that the provider knows its own thoughts again; seals
 * of others are left out.
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

/** Whether it is left to the model whether and how much to think. */
export const isAdaptiveThinking = (thinking: unknown): thinking is Fields =>
  isRecord(thinking) && thinking['type'] === 'adaptive'
