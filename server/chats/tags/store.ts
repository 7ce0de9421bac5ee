import type { Storage } from '../../storage/index.ts'
import { LIST_COLUMNS, NO, type ListRow } from '../store.ts'
import type { TagName } from './tag-names.ts'

/** Chats of a tag that are read in one statement. */
const CHATS_OF_A_STEP = 500

/** The table that finds chats by tag. */
export class TagStore {
  readonly #storage: Storage
  readonly #builder
  readonly #next
  readonly #someOfTag

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
    const { sqlite } = storage
    this.#next = sqlite
      .prepare<[string, string], string>(
        'select tag_id from chat_tag where user_id = ? and tag_id > ? order by tag_id limit 1',
      )
      .pluck()
    this.#someOfTag = sqlite.prepare<
      [string, string, string],
      { last: string; name: string | null }
    >(
      'select max(some.chat_id) as last, min(iif(c.deleted_at is null, some.name, null)) as name ' +
        'from (select chat_id, name from chat_tag where user_id = ? and tag_id = ? and chat_id > ? ' +
        `order by chat_id limit ${CHATS_OF_A_STEP}) some join chat c on c.id = some.chat_id having count(*) > 0`,
    )
  }

  replace(chat: { id: string; user_id: string }, tags: readonly TagName[]): void {
    this.#storage.run(this.#builder.deleteFrom('chat_tag').where('chat_id', '=', chat.id))
    for (const { id, name } of tags) {
      this.#storage.run(
        this.#builder
          .insertInto('chat_tag')
          .values({ chat_id: chat.id, tag_id: id, user_id: chat.user_id, name }),
      )
    }
  }

  /** Tags on chats that are not in the trash, by id; a step for some chats of a tag. */
  *ofUser(userId: string): Generator<void, TagName[]> {
    const found: TagName[] = []
    for (let id = this.#next.get(userId, ''); id !== undefined; id = this.#next.get(userId, id)) {
      const name = yield* this.#nameOf(userId, id)
      if (name !== null) found.push({ id, name })
    }
    return found
  }

  chats(userId: string, tagId: string, slice: { offset: number; limit: number }): ListRow[] {
    return this.#storage.all(
      this.#builder
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
    )
  }

  /** The name of a tag as a chat has it that is not in the trash; in steps, as many may have it. */
  *#nameOf(userId: string, tagId: string): Generator<void, string | null> {
    let name: string | null = null
    for (let some = this.#someOfTag.get(userId, tagId, ''); some;) {
      if (some.name !== null && (name === null || some.name < name)) name = some.name
      yield
      some = this.#someOfTag.get(userId, tagId, some.last)
    }
    return name
  }
}
