import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { NO_SEARCH, type ChatsStore } from './chats-store.ts'

const WAIT = 180

interface Running {
  timer: ReturnType<typeof setTimeout>
  abort: AbortController
}

const running = new WeakMap<ChatsStore, Running>()

async function runSearch(store: ChatsStore, text: string, signal: AbortSignal): Promise<void> {
  try {
    const hits = await call(endpoints.chats.search, { query: { text } }, { signal })
    store.setState(({ search }) => ({ search: { ...search, status: 'done', hits, problem: null } }))
  } catch (thrown) {
    if (isAborted(thrown)) return
    store.setState(({ search }) => ({ search: { ...search, status: 'failed', hits: [], problem: toSentence(thrown) } }))
  }
}

/** Searches a moment after the last letter; an older search is given up. Empty text ends searching. */
export function searchChats(store: ChatsStore, text: string): void {
  const before = running.get(store)
  clearTimeout(before?.timer)
  before?.abort.abort()
  if (!text.trim()) {
    store.setState({ search: { ...NO_SEARCH, text } })
    return
  }
  store.setState(({ search }) => ({ search: { ...search, text, status: 'searching' } }))
  const abort = new AbortController()
  running.set(store, { abort, timer: setTimeout(() => void runSearch(store, text.trim(), abort.signal), WAIT) })
}

/** A stretch of an excerpt. */
export interface SnippetPart {
  readonly text: string
  readonly match: boolean
}

/** Signs of markdown that only disturb in an excerpt. */
const MARKUP = /\*\*|~~|`+|^#+\s/gm

/** Splits an excerpt at the marks the gateway puts around matches (U+E000 … U+E001). */
export function splitSnippet(snippet: string): readonly SnippetPart[] {
  return snippet
    .replace(MARKUP, '')
    .split(/(\uE000[^\uE001]*\uE001?)/)
    .map((text) => ({ text: text.replace(/[\uE000\uE001]/g, ''), match: text.startsWith('\uE000') }))
    .filter((part) => part.text)
}

/** Splits a title at the beginnings of words that were looked for; the gateway marks only excerpts of messages. */
export function splitTitle(title: string, query: string): readonly SnippetPart[] {
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return [{ text: title, match: false }]
  const wanted = new RegExp(`(?<![\\p{L}\\p{N}])(${words.map((word) => RegExp.escape(word)).join('|')})`, 'giu')
  return title
    .split(wanted)
    .map((text, index) => ({ text, match: index % 2 === 1 }))
    .filter((part) => part.text)
}
