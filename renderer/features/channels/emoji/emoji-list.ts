import groups from '../../../locales/en/emoji.json' with { type: 'json' }
import { rankText } from '../../../lib/rank-text.ts'

export type EmojiGroup = keyof typeof groups

export interface Emoji {
  readonly sign: string
  readonly name: string
}

/** All signs in groups, in the order people know them by. */
export const EMOJI: readonly (readonly [EmojiGroup, readonly Emoji[]])[] = Object.entries(
  groups,
).map(([group, names]) => [
  group as EmojiGroup,
  Object.entries(names).map(([sign, name]) => ({ sign, name })),
])

const ALL = EMOJI.flatMap(([, emoji]) => emoji)
const MOST_FOUND = 120

/** Signs whose names fit a query, the best first. */
export function findEmoji(query: string): readonly Emoji[] {
  const wanted = query.trim().toLowerCase()
  return ALL.map((emoji) => ({
    emoji,
    rank: rankText(emoji.name, wanted) + (emoji.name === wanted ? 1 : 0),
  }))
    .filter(({ rank }) => rank > 0)
    .toSorted((left, right) => right.rank - left.rank)
    .slice(0, MOST_FOUND)
    .map(({ emoji }) => emoji)
}

export const nameOf = (sign: string): string =>
  ALL.find((emoji) => emoji.sign === sign)?.name ?? sign
