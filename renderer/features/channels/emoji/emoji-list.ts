import groups from '../../../locales/en/emoji.json' with { type: 'json' }
import { addStrings, readEmojiNames } from '../../../lib/i18n.ts'
import { rankText } from '../../../lib/rank-text.ts'

// Names in other languages; the English ones are below.
addStrings('emoji', {})

export type EmojiGroup = keyof typeof groups

export interface Emoji {
  readonly sign: string
  readonly name: string
}

/** All emoji in groups, in the familiar order, with their English names. */
const ENGLISH: readonly (readonly [EmojiGroup, readonly Emoji[]])[] = Object.entries(groups).map(
  ([group, names]) => [
    group as EmojiGroup,
    Object.entries(names).map(([sign, name]) => ({ sign, name })),
  ],
)

const ALL = ENGLISH.flatMap(([, emoji]) => emoji)
const MOST_FOUND = 120

/** Returns the same with the names in the language of the UI. */
export function listEmoji(): typeof ENGLISH {
  const names = readEmojiNames()
  const translate = ({ sign, name }: Emoji): Emoji => ({ sign, name: names[sign] ?? name })
  return ENGLISH.map(([group, emoji]) => [group, emoji.map(translate)])
}

/**
 * Returns emoji whose names match a query, in the language of the UI or in English, the best first.
 */
export function findEmoji(query: string): readonly Emoji[] {
  const wanted = query.trim().toLowerCase()
  const names = readEmojiNames()
  const rank = (name: string): number =>
    rankText(name.toLowerCase(), wanted) + (name.toLowerCase() === wanted ? 1 : 0)
  return ALL.map(({ sign, name }) => {
    const own = names[sign] ?? name
    return { emoji: { sign, name: own }, rank: Math.max(rank(own), rank(name)) }
  })
    .filter((found) => found.rank > 0)
    .toSorted((left, right) => right.rank - left.rank)
    .slice(0, MOST_FOUND)
    .map(({ emoji }) => emoji)
}

export const nameOf = (sign: string): string =>
  readEmojiNames()[sign] ?? ALL.find((emoji) => emoji.sign === sign)?.name ?? sign
