import type { Dialect } from '../../storage/dialect.ts'
import type { Storage } from '../../storage/index.ts'
import { toPattern } from '../../storage/is-like.ts'

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
  `(s.title ${like} @title escape '\\' or cast(@match as text) is not null and s.seq in (select rowid from message_search where ${matches('message_search', 'message_search', '@match')}))`

/** Starred messages of a user with their message. */
const starredBy = ({ eachIn }: Dialect): string =>
  '(select s.seq, s.starred_at, s.excerpt, m.chat_id, m.id as message_id, m.role, m.model, m.timestamp ' +
  `${eachIn('(select * from starred_message where user_id = @userId) s', 'message m', 'm.seq = s.seq')}) s`

/**
 * The chat of each is looked up by its id alone: without statistics, PostgreSQL would read all chats
 * of the user for each starred message.
 */
const select = (dialect: Dialect, condition = ''): string =>
  'select chat_id, message_id, role, model, timestamp, starred_at, excerpt, title, archived, folder_id from ' +
  `(select s.*, c.title, c.archived, c.folder_id, c.user_id, c.deleted_at ${dialect.eachIn(starredBy(dialect), 'chat c', 'c.id = s.chat_id')}) s ` +
  `where user_id = @userId and deleted_at is null ${condition} ` +
  'order by starred_at desc, seq desc limit @limit offset @offset'

/** Starred messages, in all chats of a user that are not in the trash. */
export class StarredStore {
  readonly #all
  readonly #found

  constructor(storage: Storage) {
    this.#all = storage.prepare<[object], StarredRow>(select(storage.dialect))
    this.#found = storage.prepare<[object], StarredRow>(
      select(storage.dialect, `and ${found(storage.dialect)}`),
    )
  }

  /** Returns the most recently starred first. */
  page(userId: string, { match, title, page }: Wanted): Promise<StarredRow[]> {
    const slice = { userId, limit: PAGE, offset: (page - 1) * PAGE }
    return title === null
      ? this.#all.all(slice)
      : this.#found.all({ ...slice, match, title: toPattern(title) })
  }
}
