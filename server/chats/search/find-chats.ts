import type { ListRow } from '../store.ts'
import { parseQuery, toMatch, type SearchQuery } from './parse-query.ts'
import type { MessageHitRow, SearchStore } from './store.ts'
import { writeSnippet } from './write-snippet.ts'

/** A chat that was found, by its title or by a message of it. */
export interface ChatHit {
  readonly chat: ListRow
  readonly message_id: string | null
  readonly snippet: string | null
}

const SEARCH_PAGE = 60
/** Nobody leafs further; beyond it a request would only cost time. */
const LAST_PAGE = 100
/** Hits looked at in one search, for words that fill a few very long chats. */
const LARGEST_SCAN = 50_000

/** The newest matching message of each chat that is not in `known`, until there are enough. */
function groupByChat(hits: Iterable<MessageHitRow>, known: ReadonlySet<string>, limit: number): MessageHitRow[] {
  const newest = new Map<string, MessageHitRow>()
  let scanned = 0
  if (limit <= 0) return []
  for (const hit of hits) {
    scanned += 1
    if (scanned > LARGEST_SCAN) break
    if (known.has(hit.chat_id) || newest.has(hit.chat_id)) continue
    newest.set(hit.chat_id, hit)
    if (newest.size >= limit) break
  }
  return [...newest.values()]
}

function toMessageHit(store: SearchStore, hit: MessageHitRow, { phrases }: SearchQuery): ChatHit | [] {
  const chat = store.listRow(hit.chat_id)
  return chat ? { chat, message_id: hit.message_id, snippet: writeSnippet(store.text(hit.seq), phrases) } : []
}

/** Chats whose title matches, then chats with a matching message; each newest first and each chat once. */
export function findChats(store: SearchStore, userId: string, { text, page }: { text: string; page: number }): ChatHit[] {
  if (page > LAST_PAGE) return []
  const query = parseQuery(text)
  const offset = (page - 1) * SEARCH_PAGE
  const toTitleHit = (chat: ListRow): ChatHit => ({ chat, message_id: null, snippet: null })
  if (query.phrases.length === 0) {
    return store.chats({ userId, ...query.filters, limit: SEARCH_PAGE, offset }).map(toTitleHit)
  }
  const matching = { userId, ...query.filters, match: toMatch(query.phrases, userId) }
  const wanted = offset + SEARCH_PAGE
  const titles = store.titleHits({ ...matching, limit: wanted })
  const messages = groupByChat(store.messageHits(matching), new Set(titles.map((chat) => chat.id)), wanted - titles.length)
  return [
    ...titles.slice(offset).map(toTitleHit),
    ...messages.slice(Math.max(0, offset - titles.length)).flatMap((hit) => toMessageHit(store, hit, query)),
  ]
}
