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
const UNFINISHED = /(^|\s)(tag|folder|model|pinned|archived|shared|before|after):"?$/i

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

/** Adds a filter to the search text, replacing one with the same name. */
export function withFilter(text: string, name: string, value: string): string {
  const others = text
    .replace(new RegExp(`(^|\\s)${name}:("[^"]*"?|\\S*)`, 'gi'), ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const filter = value ? toFilter(name, value) : `${name}:`
  return [others, filter].filter(Boolean).join(' ')
}

/** Returns the search terms without filters. */
const wordsOf = (query: string): string => query.replace(/(^|\s)\w+:("[^"]*"?|\S*)/g, ' ')

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
