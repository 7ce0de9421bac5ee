import { splitText } from './split-text.ts'

const MENTION = /<(@U|@M|#C):([^|<>\s]+)(?:\|([^<>]*))?>/g

/**
 * Turns mentions of users, models and channels into separate elements; where those are not
 * rendered, the names are shown.
 */
export const markMentions = splitText(MENTION, ([, kind = '', id = '', name]) => ({
  tagName: 'mention',
  properties: { kind, id },
  text: `${kind[0]}${name?.trim() || id}`,
}))
