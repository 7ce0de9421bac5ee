import { toOwnerWord, wordsOf } from '../../lib/text/words.ts'
import type { Phrase } from '../../lib/text/write-snippet.ts'
import { toTagId } from '../tags/tag-names.ts'
import type { SearchFilters } from './store.ts'

/** A parsed search query. */
export interface SearchQuery {
  readonly phrases: readonly Phrase[]
  readonly filters: SearchFilters
}

const FILTER = /^(tag|folder|model|pinned|archived|shared|files|before|after):(.+)$/i
/** Minimum length of a prefix; shorter ones would match a large part of all words. */
const SHORTEST_PREFIX = 2
/** Maximum number of words of a query; further ones are ignored. */
const MOST_WORDS = 32
/** A term: `name:"a value"`, "a phrase", or a word. */
const TERM = /([a-z]+):"([^"]*)"|"([^"]*)"?|[^\s"]+/gi
const DAY = /^\d{4}-\d{2}-\d{2}$/

const toFlag = (value: string): boolean | null =>
  value === 'true' ? true : value === 'false' ? false : null

function toSeconds(day: string): number | null {
  const time = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return Number.isNaN(time) ? null : time / 1000
}

const READERS: Readonly<Record<string, (value: string) => string | number | boolean | null>> = {
  tag: toTagId,
  folder: (value) => value,
  model: (value) => value,
  pinned: (value) => toFlag(value.toLowerCase()),
  archived: (value) => toFlag(value.toLowerCase()),
  shared: (value) => toFlag(value.toLowerCase()),
  files: (value) => toFlag(value.toLowerCase()),
  before: toSeconds,
  after: toSeconds,
}

/** Parses the condition of a `name:value` term; null if it is plain text. */
function parseFilter(term: string): Partial<SearchFilters> | null {
  const [, name, value] = FILTER.exec(term) ?? []
  if (name === undefined || value === undefined) return null
  const read = READERS[name.toLowerCase()]!(value)
  return read === null ? null : { [name.toLowerCase()]: read }
}

const NO_FILTERS: SearchFilters = {
  pinned: null,
  archived: false,
  shared: null,
  files: null,
  folder: null,
  tag: null,
  model: null,
  before: null,
  after: null,
  title: null,
}

/**
 * Parses words, "quoted phrases" and `name:value` conditions; everything else is searched as plain
 * text.
 */
export function parseQuery(text: string): SearchQuery {
  const filters = { ...NO_FILTERS }
  const phrases: Phrase[] = []
  const signs: string[] = []
  let room = MOST_WORDS
  for (const match of text.matchAll(TERM)) {
    const [whole, named, value, quoted] = match
    const isPhrase = named !== undefined || quoted !== undefined
    const filter =
      named !== undefined
        ? parseFilter(`${named}:${value}`)
        : quoted === undefined
          ? parseFilter(whole)
          : null
    if (filter) {
      Object.assign(filters, filter)
      continue
    }
    const term = named === undefined ? (quoted ?? whole) : `${named} ${value}`
    const words = [...wordsOf(term)].slice(0, room)
    const last = words.at(-1)
    if (!last) {
      signs.push(term.trim())
      continue
    }
    room -= words.length
    const isTyping =
      !isPhrase && match.index + whole.length === text.length && last.end === term.length
    phrases.push({
      words: words.map((word) => word.text),
      isPrefix: isTyping && last.text.length >= SHORTEST_PREFIX,
    })
  }
  const title = phrases.length === 0 ? signs.join(' ').trim() : ''
  return { phrases, filters: title === '' ? filters : { ...filters, title } }
}

/**
 * Builds the index query: it only contains words made of letters and digits, so user input cannot
 * act as an operator.
 */
export function toMatch(phrases: readonly Phrase[], userId: string): string {
  const terms = phrases.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`)
  return `owner : "${toOwnerWord(userId)}" AND content : (${terms.join(' AND ')})`
}
