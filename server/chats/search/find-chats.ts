import type { ListRow } from '../store.ts'
import { parseQuery, toMatch, type SearchQuery } from './parse-query.ts'
import type { MessageHitRow, MessageSearch, SearchStore } from './store.ts'
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
const SCAN_STEP = 500

interface Wanted {
  readonly known: ReadonlySet<string>
  readonly limit: number
}

/** The newest matching message of each chat that is not in `known`, until there are enough; a step for every few hits. */
function* findMessages(store: SearchStore, matching: MessageSearch, { known, limit }: Wanted): Generator<void, MessageHitRow[]> {
  const newest = new Map<string, MessageHitRow>()
  let before = Number.MAX_SAFE_INTEGER
  for (let scanned = 0; newest.size < limit && scanned < LARGEST_SCAN; scanned += SCAN_STEP) {
    const hits = store.messageHits({ ...matching, before, limit: SCAN_STEP })
    for (const hit of hits) {
      if (newest.size < limit && !known.has(hit.chat_id) && !newest.has(hit.chat_id)) newest.set(hit.chat_id, hit)
    }
    if (hits.length < SCAN_STEP) break
    before = hits.at(-1)!.seq
    yield
  }
  return [...newest.values()]
}

function toMessageHit(store: SearchStore, hit: MessageHitRow, { phrases }: SearchQuery): ChatHit[] {
  const chat = store.listRow(hit.chat_id)
  return chat ? [{ chat, message_id: hit.message_id, snippet: writeSnippet(store.text(hit.seq), phrases) }] : []
}

/** Chats whose title matches, then chats with a matching message; each newest first and each chat once. Work in short steps. */
export function* findChats(store: SearchStore, userId: string, { text, page }: { text: string; page: number }): Generator<void, ChatHit[]> {
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
  const known = new Set(titles.map((chat) => chat.id))
  const messages = yield* findMessages(store, matching, { known, limit: wanted - titles.length })
  const found = titles.slice(offset).map(toTitleHit)
  for (const hit of messages.slice(Math.max(0, offset - titles.length))) {
    found.push(...toMessageHit(store, hit, query))
    yield
  }
  return found
}
