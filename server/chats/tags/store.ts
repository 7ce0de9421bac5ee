import type { Storage } from '../../storage/index.ts'
import { LIST_COLUMNS, NO, type ListRow } from '../store.ts'
import type { TagName } from './tag-names.ts'

/** Chats of a tag that are read in one statement. */
const CHATS_OF_A_STEP = 500

/** The table that finds chats by tag. */
export function createTagStore({ builder, sqlite, ...storage }: Storage) {
  const next = sqlite
    .prepare<[string, string], string>(
      'select tag_id from chat_tag where user_id = ? and tag_id > ? order by tag_id limit 1',
    )
    .pluck()
  const someOfTag = sqlite.prepare<[string, string, string], { last: string; name: string | null }>(
    'select max(some.chat_id) as last, min(iif(c.deleted_at is null, some.name, null)) as name ' +
      'from (select chat_id, name from chat_tag where user_id = ? and tag_id = ? and chat_id > ? ' +
      `order by chat_id limit ${CHATS_OF_A_STEP}) some join chat c on c.id = some.chat_id having count(*) > 0`,
  )
  /** The name of a tag as a chat has it that is not in the trash; in steps, as many may have it. */
  function* nameOf(userId: string, tagId: string): Generator<void, string | null> {
    let name: string | null = null
    for (let some = someOfTag.get(userId, tagId, ''); some;) {
      if (some.name !== null && (name === null || some.name < name)) name = some.name
      yield
      some = someOfTag.get(userId, tagId, some.last)
    }
    return name
  }

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
    /** Tags on chats that are not in the trash, by id; a step for some chats of a tag. */
    *ofUser(userId: string): Generator<void, TagName[]> {
      const found: TagName[] = []
      for (let id = next.get(userId, ''); id !== undefined; id = next.get(userId, id)) {
        const name = yield* nameOf(userId, id)
        if (name !== null) found.push({ id, name })
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
