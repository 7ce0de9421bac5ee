import { mapInOrder } from '../../lib/in-order.ts'
import { writeSnippet } from '../../lib/text/write-snippet.ts'
import type { ListRow } from '../store.ts'
import { parseQuery, toMatch, type SearchQuery } from './parse-query.ts'
import type { MessageHitRow, MessageSearch, SearchStore } from './store.ts'

/** A chat found by its title or by one of its messages. */
export interface ChatHit {
  readonly chat: ListRow
  readonly message_id: string | null
  readonly snippet: string | null
}

const SEARCH_PAGE = 60
/** Later pages are never needed; requests for them would only take time. */
const LAST_PAGE = 100
/**
 * Maximum number of hits examined in one search, for words that occur very often in a few very long
 * chats.
 */
const LARGEST_SCAN = 50_000
/**
 * Number of hits examined in one step. The first one usually suffices for a page, and each hit
 * requires a separate read.
 */
const FIRST_SCAN = 120
const SCAN_STEP = 500
/**
 * Maximum number of hits examined only to find the place inside chats whose title matches already.
 */
const TITLE_SCAN = 2000

interface Wanted {
  /** Chats found by their title. */
  readonly titled: ReadonlySet<string>
  /** Maximum number of other chats. */
  readonly limit: number
}

/** Number of hits examined before a search with conditions switches to the chats that meet them. */
const CONDITION_SCAN = 1000
/** Number of chats searched in one step, and in one search. */
const CHAT_STEP = 20
const MOST_CHATS = 2000

const hasConditions = ({
  pinned,
  archived,
  shared,
  files,
  folder,
  tag,
  model,
  before,
  after,
}: MessageSearch): boolean =>
  archived ||
  [pinned, shared, files, folder, tag, model, before, after].some((condition) => condition !== null)

/**
 * If few chats meet the conditions, nearly all hits of a frequent word are outside of them. Then
 * the chats are selected first, newest first, and searched.
 */
async function* lookIntoChats(
  store: SearchStore,
  matching: MessageSearch,
  { newest, titled, limit }: Wanted & { newest: Map<string, MessageHitRow> },
): AsyncGenerator<void, void> {
  const chats = (await store.chats({ ...matching, limit: MOST_CHATS, offset: 0 })).filter(
    (chat) => !newest.has(chat.id),
  )
  let others = [...newest.keys()].filter((id) => !titled.has(id)).length
  for (let from = 0; from < chats.length && others < limit; from += CHAT_STEP) {
    yield
    const ids = chats.slice(from, from + CHAT_STEP).map((chat) => chat.id)
    for (const hit of await store.messageHitsIn(ids, matching.match)) {
      if (others >= limit && !titled.has(hit.chat_id)) continue
      newest.set(hit.chat_id, hit)
      if (!titled.has(hit.chat_id)) others += 1
    }
  }
}

/**
 * Finds the newest matching message of each chat, newest first, until there are enough; one step
 * for every few hits.
 */
async function* findMessages(
  store: SearchStore,
  matching: MessageSearch,
  wanted: Wanted,
): AsyncGenerator<void, Map<string, MessageHitRow>> {
  const { titled, limit } = wanted
  const newest = new Map<string, MessageHitRow>()
  let others = 0
  let below = Number.MAX_SAFE_INTEGER
  let step = FIRST_SCAN
  for (let scanned = 0; scanned < LARGEST_SCAN && others < limit;) {
    if (scanned >= CONDITION_SCAN && hasConditions(matching)) {
      yield* lookIntoChats(store, matching, { ...wanted, newest })
      break
    }
    const hits = await store.scanMessages({ ...matching, below, limit: step })
    for (const hit of hits) {
      if (hit.fits !== 1 || newest.has(hit.chat_id)) continue
      const isTitled = titled.has(hit.chat_id)
      if (!isTitled && others >= limit) continue
      newest.set(hit.chat_id, hit)
      if (!isTitled) others += 1
    }
    if (hits.length === 0) break
    scanned += hits.length
    step = SCAN_STEP
    below = hits.at(-1)!.seq
    yield
  }
  return newest
}

/**
 * Adds the places inside chats that were found by their title, if they are among the newest
 * matches.
 */
async function* addPlaces(
  store: SearchStore,
  { match }: MessageSearch,
  { chatIds, newest }: { chatIds: readonly string[]; newest: Map<string, MessageHitRow> },
): AsyncGenerator<void, void> {
  const missing = new Set(chatIds.filter((id) => !newest.has(id)))
  if (missing.size === 0) return
  const messages = new Map(
    (await store.messagesOf([...missing])).map((message) => [message.seq, message]),
  )
  yield
  let below = Number.MAX_SAFE_INTEGER
  for (let left = TITLE_SCAN; left > 0;) {
    const seqs = await store.scanSeqs(match, below, left)
    if (seqs.length === 0) break
    for (const seq of seqs) {
      const message = messages.get(seq)
      if (message && missing.delete(message.chat_id)) newest.set(message.chat_id, message)
    }
    left -= seqs.length
    below = seqs.at(-1)!
    yield
  }
}

async function toHit(
  store: SearchStore,
  chat: ListRow,
  { hit, query }: { hit: MessageHitRow | undefined; query: SearchQuery },
): Promise<ChatHit> {
  if (!hit) return { chat, message_id: null, snippet: null }
  return {
    chat,
    message_id: hit.message_id,
    snippet: writeSnippet(await store.text(hit.seq), query.phrases),
  }
}

/**
 * Finds chats with a matching title, then chats with a matching message; each newest first and each
 * chat once, with the newest matching message, if any. In short steps.
 */
export async function* findChats(
  store: SearchStore,
  userId: string,
  { text, page }: { text: string; page: number },
): AsyncGenerator<void, ChatHit[]> {
  if (page > LAST_PAGE) return []
  const query = parseQuery(text)
  const offset = (page - 1) * SEARCH_PAGE
  if (query.phrases.length === 0) {
    const chats = await store.chats({ userId, ...query.filters, limit: SEARCH_PAGE, offset })
    return await mapInOrder(chats, (chat) => toHit(store, chat, { hit: undefined, query }))
  }
  const matching = { userId, ...query.filters, match: toMatch(query.phrases, userId) }
  const wanted = offset + SEARCH_PAGE
  const titles = await store.titleHits({ ...matching, limit: wanted })
  const titled = new Set(titles.map((chat) => chat.id))
  const messages = yield* findMessages(store, matching, { titled, limit: wanted - titles.length })
  yield* addPlaces(store, matching, {
    chatIds: titles.slice(offset).map((chat) => chat.id),
    newest: messages,
  })
  const found: ChatHit[] = []
  for (const chat of titles.slice(offset)) {
    found.push(await toHit(store, chat, { hit: messages.get(chat.id), query }))
    yield
  }
  const others = [...messages.values()].filter((hit) => !titled.has(hit.chat_id))
  for (const hit of others.slice(Math.max(0, offset - titles.length))) {
    const chat = await store.listRow(hit.chat_id)
    if (chat) found.push(await toHit(store, chat, { hit, query }))
    yield
  }
  return found
}
