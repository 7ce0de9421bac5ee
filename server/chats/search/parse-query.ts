import { toOwnerWord, wordsOf } from '../../lib/words.ts'
import type { SearchFilters } from './store.ts'

/** Words that have to follow each other. With `isPrefix` the last one may go on. */
export interface Phrase {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** What a person typed into the search box. */
export interface SearchQuery {
  readonly phrases: readonly Phrase[]
  readonly filters: SearchFilters
}

const FILTER = /^(tag|folder|pinned|archived|shared):(.+)$/i
/** Shorter beginnings would match a great part of all words. */
const SHORTEST_PREFIX = 2
/** Words a query may have; the rest of a longer text is not looked for. */
const MOST_WORDS = 32

const toFlag = (value: string): number | null => (value === 'true' ? 1 : value === 'false' ? 0 : null)
const toTagId = (value: string): string => value.toLowerCase().replaceAll(' ', '_')

/** The condition a `name:value` term stands for; null when it is plain text after all. */
function parseFilter(name: string, value: string): Partial<SearchFilters> | null {
  if (name === 'tag') return { tag: toTagId(value) }
  if (name === 'folder') return { folder: value }
  const flag = toFlag(value.toLowerCase())
  return flag === null ? null : { [name]: flag }
}

/** Reads words, "quoted phrases" and `name:value` conditions; everything else is plain text to look for. */
export function parseQuery(text: string): SearchQuery {
  const filters: SearchFilters = { pinned: null, archived: 0, shared: null, folder: null, tag: null }
  const phrases: Phrase[] = []
  let room = MOST_WORDS
  for (const match of text.matchAll(/"([^"]*)"?|[^\s"]+/g)) {
    const term = match[1] ?? match[0]
    const [, name, value] = (match[1] === undefined && FILTER.exec(term)) || []
    const filter = name !== undefined && value !== undefined ? parseFilter(name.toLowerCase(), value) : null
    if (filter) {
      Object.assign(filters, filter)
      continue
    }
    const words = [...wordsOf(term)].slice(0, room)
    const last = words.at(-1)
    if (!last) continue
    room -= words.length
    const isTyping = match[1] === undefined && match.index + match[0].length === text.length && last.end === term.length
    phrases.push({ words: words.map((word) => word.text), isPrefix: isTyping && last.text.length >= SHORTEST_PREFIX })
  }
  return { phrases, filters }
}

/** The index query: only words made of letters and digits enter it, so nothing typed can act as an operator. */
export function toMatch(phrases: readonly Phrase[], userId: string): string {
  const terms = phrases.map(({ words, isPrefix }) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`)
  return `owner : "${toOwnerWord(userId)}" AND content : (${terms.join(' AND ')})`
}
