import { sql } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import { LIST_COLUMNS, type ListRow } from '../store.ts'

export type TrashRow = ListRow & { readonly deleted_at: number }

const PAGE = 60
/** Chats given up in one statement. */
const STEP = 500

/** `%` and `_` of a title stand for themselves. */
const toPattern = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`

/** What lies in the trash. */
export function createTrashStore({ builder, sqlite, ...storage }: Storage) {
  const giveUp = sqlite.prepare('update chat set deleted_at = 0 where id = ?')
  const giveUpSome = sqlite
    .prepare<[string], string>(
      `update chat set deleted_at = 0 where seq in (select seq from chat where user_id = ? and deleted_at > 0 limit ${STEP}) returning id`,
    )
    .pluck()

  return {
    /** Chats of a user that went to the trash at `since` or later, the last one first. */
    page: (userId: string, { since, page, query }: { since: number; page: number; query?: string | undefined }): TrashRow[] => {
      let chats = builder
        .selectFrom('chat')
        .select([...LIST_COLUMNS, sql<number>`deleted_at`.as('deleted_at')])
        .where('user_id', '=', userId)
        .where('deleted_at', '>=', since)
      if (query) chats = chats.where(sql<boolean>`title like ${toPattern(query)} escape '\\'`)
      return storage.all(
        chats
          .orderBy('deleted_at', 'desc')
          .orderBy('seq', 'desc')
          .limit(PAGE)
          .offset((page - 1) * PAGE),
      )
    },
    /** Lets the days of a chat in the trash be over. */
    giveUp: (chatId: string): void => void giveUp.run(chatId),
    /** The same for a bounded number of chats of a user; answers with their ids. */
    giveUpSome: (userId: string): string[] => giveUpSome.all(userId),
    /** Ids of chats that went to the trash before a time, oldest first. */
    chatsBefore: (time: number, limit: number): string[] =>
      storage
        .all(builder.selectFrom('chat').select('id').where('deleted_at', '<', time).orderBy('deleted_at').limit(limit))
        .map((row) => row.id),
    eraseFoldersBefore: (time: number): void => {
      storage.run(builder.deleteFrom('folder').where('deleted_at', '<', time))
    },
    eraseFolders: (userId: string): void => {
      storage.run(builder.deleteFrom('folder').where('user_id', '=', userId).where('deleted_at', 'is not', null))
    },
  }
}
export type TrashStore = ReturnType<typeof createTrashStore>
