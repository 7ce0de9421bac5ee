import type { Storage } from '../../storage/index.ts'
import { LIST_COLUMNS, NO, type ListRow } from '../store.ts'
import type { TagName } from './tag-names.ts'

/** The table that finds chats by tag. */
export function createTagStore({ builder, ...storage }: Storage) {
  return {
    replace: (chat: { id: string; user_id: string }, tags: readonly TagName[]): void => {
      storage.run(builder.deleteFrom('chat_tag').where('chat_id', '=', chat.id))
      for (const { id, name } of tags) {
        storage.run(builder.insertInto('chat_tag').values({ chat_id: chat.id, tag_id: id, user_id: chat.user_id, name }))
      }
    },
    /** Tags on chats that are not in the trash, by name. */
    ofUser: (userId: string): TagName[] =>
      storage.all(
        builder
          .selectFrom('chat_tag as t')
          .innerJoin('chat as c', 'c.id', 't.chat_id')
          .select(({ fn }) => ['t.tag_id as id', fn.min('t.name').as('name')])
          .where('t.user_id', '=', userId)
          .where('c.deleted_at', 'is', null)
          .groupBy('t.tag_id')
          .orderBy('t.tag_id'),
      ),
    chats: (userId: string, tagId: string, slice: { offset: number; limit: number }): ListRow[] =>
      storage.all(
        builder
          .selectFrom('chat_tag as t')
          .innerJoin('chat as c', 'c.id', 't.chat_id')
          .select(LIST_COLUMNS.map((column) => `c.${column}` as const))
          .where('t.user_id', '=', userId)
          .where('t.tag_id', '=', tagId)
          .where('c.deleted_at', 'is', null)
          .where('c.archived', '=', NO)
          .orderBy('c.updated_at', 'desc')
          .orderBy('c.seq', 'desc')
          .limit(slice.limit)
          .offset(slice.offset),
      ),
  }
}
export type TagStore = ReturnType<typeof createTagStore>
