import type { DeepLink } from '#desktop'
import { isRecord } from '../../lib/fields.ts'

const UNREADABLE: DeepLink = Object.freeze({ kind: 'refused', reason: 'unreadable' })
const REASONS = ['long', 'unreadable', 'unknown'] as const
const LONGEST_TEXT = 8_000

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT

function toLink(asked: unknown): DeepLink {
  if (!isRecord(asked)) return UNREADABLE
  const { kind, chatId, text, model, name, config } = asked
  if (kind === 'chat' && isText(chatId) && /^[A-Za-z0-9-]{1,64}$/.test(chatId))
    return { kind, chatId }
  if (kind === 'ask' && isText(text)) return { kind, text, model: isText(model) ? model : null }
  if (kind === 'tool-server' && isText(name) && isRecord(config)) return { kind, name, config }
  const reason = REASONS.find((each) => kind === 'refused' && each === asked['reason'])
  return reason ? { kind: 'refused', reason } : UNREADABLE
}

/**
 * Returns the request in the URL of the confirmation page. The desktop app has parsed the link
 * strictly; a URL crafted by others can show no more than this, and the gateway validates a tool
 * server again before it is added.
 */
export function readLink(asked: string): DeepLink {
  try {
    return toLink(JSON.parse(asked))
  } catch {
    return UNREADABLE
  }
}
