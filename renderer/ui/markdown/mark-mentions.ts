import { splitText } from './split-text.ts'

const MENTION = /<(@U|@M|#C):([^|<>\s]+)(?:\|([^<>]*))?>/g

/**
 * Makes mentions of people, models and channels elements of their own; the names stand in for them
 * where nothing draws those.
 */
export const markMentions = splitText(MENTION, ([, kind = '', id = '', name]) => ({
  tagName: 'mention',
  properties: { kind, id },
  text: `${kind[0]}${name?.trim() || id}`,
}))
