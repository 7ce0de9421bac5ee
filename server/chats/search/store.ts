import type { Storage } from '../../storage/index.ts'
import type { ListRow } from '../store.ts'

/** Conditions on the chat of a hit; null leaves one open. */
export interface SearchFilters {
  readonly pinned: number | null
  readonly archived: number
  readonly shared: number | null
  readonly folder: string | null
  /** A tag id, or `none` for chats without tags. */
  readonly tag: string | null
}

export interface MessageHitRow {
  readonly seq: number
  readonly chat_id: string
  readonly message_id: string
}

interface Matching extends SearchFilters {
  readonly userId: string
}

/** A search for messages with the query of the index. */
export interface MessageSearch extends Matching {
  readonly match: string
}

const CHAT_CONDITIONS =
  'c.user_id = @userId and c.deleted_at is null and c.archived = @archived ' +
  'and (@pinned is null or c.pinned = @pinned) ' +
  'and (@shared is null or (c.share_id is not null) = @shared) ' +
  'and (@folder is null or c.folder_id = @folder) ' +
  "and (@tag is null or (@tag = 'none' and json_array_length(c.tags) = 0) or exists (" +
  "select 1 from json_each(c.tags) t where replace(lower(case t.type when 'object' then json_extract(t.value, '$.name') else t.value end), ' ', '_') = @tag))"

const LIST_COLUMNS = 'c.id, c.title, c.created_at, c.updated_at, c.pinned'

/** The full-text index over messages and titles, and its queries. */
export function createSearchStore({ sqlite }: Storage) {
  const indexMessage = sqlite.prepare('insert or replace into message_search (rowid, owner, content) values (?, ?, ?)')
  const indexTitle = sqlite.prepare('insert or replace into chat_search (rowid, owner, content) values (?, ?, ?)')
  const forgetMessage = sqlite.prepare('delete from message_search where rowid = ?')
  const titles = sqlite.prepare<[object], ListRow>(
    'select ' +
      LIST_COLUMNS +
      ' from chat_search s cross join chat c on c.seq = s.rowid where s.chat_search match @match and ' +
      CHAT_CONDITIONS +
      ' order by s.rowid desc limit @limit',
  )
  const messages = sqlite.prepare<[object], MessageHitRow>(
    'select m.seq, m.chat_id, m.id as message_id from message_search s cross join message m on m.seq = s.rowid ' +
      'cross join chat c on c.id = m.chat_id where s.message_search match @match and s.rowid < @before and ' +
      CHAT_CONDITIONS +
      ' order by s.rowid desc limit @limit',
  )
  const chats = sqlite.prepare<[object], ListRow>(
    'select ' +
      LIST_COLUMNS +
      ' from chat c where ' +
      CHAT_CONDITIONS +
      ' order by c.updated_at desc, c.seq desc limit @limit offset @offset',
  )
  const listRow = sqlite.prepare<[string], ListRow>('select ' + LIST_COLUMNS + ' from chat c where c.id = ?')
  const text = sqlite.prepare<[number], { content: string }>('select content from message where seq = ?')

  return {
    indexMessage: (seq: number, owner: string, words: string): void => {
      indexMessage.run(seq, owner, words)
    },
    forgetMessage: (seq: number): void => {
      forgetMessage.run(seq)
    },
    indexTitle: (seq: number, owner: string, words: string): void => {
      indexTitle.run(seq, owner, words)
    },
    /** Chats whose title matches, newest first. */
    titleHits: (matching: Matching & { match: string; limit: number }): ListRow[] => titles.all(matching),
    /** The newest matching messages that are older than `before`. */
    messageHits: (matching: MessageSearch & { before: number; limit: number }): MessageHitRow[] => messages.all(matching),
    /** Chats by their conditions alone. */
    chats: (matching: Matching & { limit: number; offset: number }): ListRow[] => chats.all(matching),
    listRow: (chatId: string): ListRow | undefined => listRow.get(chatId),
    text: (seq: number): string => text.get(seq)?.content ?? '',
  }
}
export type SearchStore = ReturnType<typeof createSearchStore>
