import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import type { SnippetPart } from '../../lib/snippet.ts'
import { NO_SEARCH, PAGE_SIZE, type ChatsStore } from './chats-store.ts'

const WAIT = 180

interface Running {
  timer: ReturnType<typeof setTimeout>
  abort: AbortController
}

/** Matches a filter at the end whose value is missing. */
const UNFINISHED = /(^|\s)(tag|folder|model|pinned|archived|shared|files|before|after):"?$/i

const running = new WeakMap<ChatsStore, Running>()

async function runSearch(store: ChatsStore, text: string, signal: AbortSignal): Promise<void> {
  try {
    const hits = await call(endpoints.chats.search, { query: { text } }, { signal })
    const found = {
      status: 'done',
      hits,
      pagesLoaded: 1,
      hasMore: hits.length === PAGE_SIZE,
      problem: null,
    } as const
    store.setState(({ search }) => ({ search: { ...search, ...found } }))
  } catch (thrown) {
    if (isAborted(thrown)) return
    store.setState(({ search }) => ({
      search: { ...search, status: 'failed', hits: [], problem: toSentence(thrown) },
    }))
  }
}

/**
 * Searches shortly after the last keystroke and aborts an older search. Empty text ends the search.
 */
export function searchChats(store: ChatsStore, text: string): void {
  const before = running.get(store)
  clearTimeout(before?.timer)
  before?.abort.abort()
  const wanted = text.replace(UNFINISHED, '').trim()
  if (!wanted) {
    store.setState({ search: { ...NO_SEARCH, text } })
    return
  }
  store.setState(({ search }) => ({ search: { ...search, text, status: 'searching' } }))
  const abort = new AbortController()
  running.set(store, {
    abort,
    timer: setTimeout(() => void runSearch(store, wanted, abort.signal), WAIT),
  })
}

/** Loads the next page of results. */
export async function searchMore(store: ChatsStore): Promise<void> {
  const { text, pagesLoaded, status } = store.getState().search
  if (status !== 'done') return
  const hits = await call(endpoints.chats.search, {
    query: { text: text.replace(UNFINISHED, '').trim(), page: pagesLoaded + 1 },
  })
  store.setState(({ search }) => {
    if (search.text !== text || search.pagesLoaded !== pagesLoaded) return {}
    return {
      search: {
        ...search,
        hits: [...search.hits, ...hits],
        pagesLoaded: pagesLoaded + 1,
        hasMore: hits.length === PAGE_SIZE,
      },
    }
  })
}

const needsQuotes = (value: string): boolean => /[\s"]/.test(value)

/** Returns a search filter such as `tag:garden`, quoted when its value has spaces. */
export const toFilter = (name: string, value: string): string =>
  `${name}:${needsQuotes(value) ? `"${value.replaceAll('"', '')}"` : value}`

/** Removes the filter of this name from the search text. */
export const withoutFilter = (text: string, name: string): string =>
  text
    .replace(new RegExp(`(^|\\s)${name}:("[^"]*"?|\\S*)`, 'gi'), ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Adds a filter to the search text, replacing one with the same name. */
export const withFilter = (text: string, name: string, value: string): string =>
  [withoutFilter(text, name), toFilter(name, value)].filter(Boolean).join(' ')

const FLAG = /^(true|false)$/i
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** Values that the gateway takes for a filter; other terms are searched as plain text. */
const VALUES: Readonly<Record<string, RegExp>> = {
  tag: /./,
  folder: /./,
  model: /./,
  pinned: FLAG,
  archived: FLAG,
  shared: FLAG,
  files: FLAG,
  before: DAY,
  after: DAY,
}

/** Returns the filters in a search text; of several with the same name the last one counts. */
export function listFilters(text: string): readonly { name: string; value: string }[] {
  const found = new Map<string, string>()
  for (const [, term = '', quoted, plain] of text.matchAll(
    /(?<!\S)([a-z]+):(?:"([^"]*)"|(\S+))/gi,
  )) {
    const [name, value] = [term.toLowerCase(), quoted ?? plain ?? '']
    if (VALUES[name]?.test(value)) found.set(name, FLAG.test(value) ? value.toLowerCase() : value)
  }
  return [...found].map(([name, value]) => ({ name, value }))
}

/** Returns the value of a filter in a search text; empty without one. */
export const valueOf = (text: string, name: string): string =>
  listFilters(text).find((filter) => filter.name === name)?.value ?? ''

/** Returns the search terms without filters. */
export const wordsOf = (query: string): string => query.replace(/(^|\s)\w+:("[^"]*"?|\S*)/g, ' ')

/** Returns the search terms without punctuation, separated by spaces. */
export const soughtWords = (query: string): string =>
  (wordsOf(query).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')

/**
 * Splits a title at the word beginnings that match the search terms; the gateway highlights only
 * excerpts of messages.
 */
export function splitTitle(title: string, query: string): readonly SnippetPart[] {
  const words = soughtWords(query).split(' ').filter(Boolean)
  if (words.length === 0) return [{ text: title, match: false }]
  const wanted = new RegExp(
    `(?<![\\p{L}\\p{N}])(${words.map((word) => RegExp.escape(word)).join('|')})`,
    'giu',
  )
  return title
    .split(wanted)
    .map((text, index) => ({ text, match: index % 2 === 1 }))
    .filter((part) => part.text)
}
