import type { Storage } from '../../storage/index.ts'
import { LIST_COLUMNS, NO, type ListRow } from '../store.ts'
import type { TagName } from './tag-names.ts'

/** The table that finds chats by tag. */
export function createTagStore({ builder, sqlite, ...storage }: Storage) {
  const next = sqlite
    .prepare<[string, string], string>(
      'select tag_id from chat_tag where user_id = ? and tag_id > ? order by tag_id limit 1',
    )
    .pluck()
  const nameOf = sqlite
    .prepare<[string, string], string | null>(
      'select min(t.name) from chat_tag t join chat c on c.id = t.chat_id where t.user_id = ? and t.tag_id = ? and c.deleted_at is null',
    )
    .pluck()

  return {
    replace: (chat: { id: string; user_id: string }, tags: readonly TagName[]): void => {
      storage.run(builder.deleteFrom('chat_tag').where('chat_id', '=', chat.id))
      for (const { id, name } of tags) {
        storage.run(
          builder
            .insertInto('chat_tag')
            .values({ chat_id: chat.id, tag_id: id, user_id: chat.user_id, name }),
        )
      }
    },
    /** Tags on chats that are not in the trash, by id, one after the other; a step for each tag. */
    *ofUser(userId: string): Generator<void, TagName[]> {
      const found: TagName[] = []
      for (let id = next.get(userId, ''); id !== undefined; id = next.get(userId, id)) {
        const name = nameOf.get(userId, id) ?? null
        if (name !== null) found.push({ id, name })
        yield
      }
      return found
    },
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
