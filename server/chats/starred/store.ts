import type { Dialect } from '../../storage/dialect.ts'
import type { Storage } from '../../storage/index.ts'

/** A starred message as a list entry. */
export interface StarredRow {
  readonly chat_id: string
  readonly message_id: string
  readonly role: string
  readonly model: string | null
  readonly timestamp: number
  readonly starred_at: number
  /** The beginning of its text, as stored. */
  readonly excerpt: string
  readonly title: string
  readonly archived: number
  readonly folder_id: string | null
}

interface Wanted {
  /** A query of the message index; null if it contains no indexed words. */
  readonly match: string | null
  /** Part of a title; null without a search. */
  readonly title: string | null
  readonly page: number
}

const PAGE = 60

const found = ({ like, matches }: Dialect): string =>
  `(c.title ${like} @title escape '\\' or cast(@match as text) is not null and s.seq in (select rowid from message_search where ${matches('message_search', 'message_search', '@match')}))`

const select = (condition: string): string =>
  'select m.chat_id, m.id as message_id, m.role, m.model, m.timestamp, s.starred_at, s.excerpt, c.title, c.archived, c.folder_id ' +
  'from starred_message s cross join message m cross join chat c where m.seq = s.seq and c.id = m.chat_id ' +
  `and s.user_id = @userId and c.user_id = @userId and c.deleted_at is null ${condition}` +
  'order by s.starred_at desc, s.seq desc limit @limit offset @offset'

/** Escapes `%` and `_` of the user input. */
const toPattern = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`

/** Starred messages, in all chats of a user that are not in the trash. */
export class StarredStore {
  readonly #all
  readonly #found

  constructor(storage: Pick<Storage, 'prepare' | 'dialect'>) {
    this.#all = storage.prepare<[object], StarredRow>(select(''))
    this.#found = storage.prepare<[object], StarredRow>(select(`and ${found(storage.dialect)} `))
  }

  /** Returns the most recently starred first. */
  page(userId: string, { match, title, page }: Wanted): Promise<StarredRow[]> {
    const slice = { userId, limit: PAGE, offset: (page - 1) * PAGE }
    return title === null
      ? this.#all.all(slice)
      : this.#found.all({ ...slice, match, title: toPattern(title) })
  }
}
