import type { Storage } from '../../storage/index.ts'
import { LIST_COLUMNS, NO, type ListRow } from '../store.ts'
import type { TagName } from './tag-names.ts'

/** Number of chats of a tag read in one statement. */
const CHATS_OF_A_STEP = 500
/** Maximum number of chats of a tag sorted in one statement. */
const MOST_SORTED = 5000

interface Aged {
  readonly seq: number
  readonly updated_at: number
  readonly is_in: 0 | 1
}

/** SQL on the table that finds chats by tag. */
export class TagStore {
  readonly #storage: Storage
  readonly #builder
  readonly #next
  readonly #someOfTag
  readonly #isFrequent
  readonly #older
  readonly #rows

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
    this.#next = storage
      .prepare<[string, string], string>(
        'select tag_id from chat_tag where user_id = ? and tag_id > ? order by tag_id limit 1',
      )
      .pluck()
    this.#someOfTag = storage.prepare<
      [string, string, string],
      { last: string; name: string | null }
    >(
      'select max(tagged.chat_id) as last, min(case when c.deleted_at is null then tagged.name end) as name ' +
        'from (select chat_id, name from chat_tag where user_id = ? and tag_id = ? and chat_id > ? ' +
        `order by chat_id limit ${CHATS_OF_A_STEP}) tagged join chat c on c.id = tagged.chat_id having count(*) > 0`,
    )
    this.#isFrequent = storage.prepare<[string, string]>(
      `select 1 from chat_tag where user_id = ? and tag_id = ? limit 1 offset ${MOST_SORTED}`,
    )
    this.#older = storage.prepare<
      [{ user: string; tag: string; updated_at: number; seq: number }],
      Aged
    >(
      'select seq, updated_at, archived = 0 and exists (select 1 from chat_tag where chat_id = chat.id and tag_id = @tag) as is_in ' +
        'from chat where user_id = @user and deleted_at is null and (updated_at, seq) < (@updated_at, @seq) ' +
        `order by updated_at desc, seq desc limit ${CHATS_OF_A_STEP}`,
    )
    this.#rows = storage.prepare<[string], ListRow>(
      `select ${LIST_COLUMNS.join(', ')} from chat where seq in (select cast(value as bigint) from json_each(?)) order by updated_at desc, seq desc`,
    )
  }

  /** Yields them newest first; in steps if many chats have the tag. */
  async *chats(
    userId: string,
    tagId: string,
    slice: { offset: number; limit: number },
  ): AsyncGenerator<void, ListRow[]> {
    if ((await this.#isFrequent.get(userId, tagId)) === undefined)
      return await this.#sorted(userId, tagId, slice)
    const found: ListRow[] = []
    let [left, last] = [slice.offset, { updated_at: Number.MAX_SAFE_INTEGER, seq: 0 }]
    while (found.length < slice.limit) {
      const some = await this.#older.all({ user: userId, tag: tagId, ...last })
      if (some.length === 0) break
      const ofTag = some.filter((chat) => chat.is_in === 1)
      const wanted = ofTag.slice(left, left + slice.limit - found.length)
      left = Math.max(0, left - ofTag.length)
      found.push(...(await this.#rows.all(JSON.stringify(wanted.map(({ seq }) => seq)))))
      const { updated_at, seq } = some.at(-1)!
      last = { updated_at, seq }
      yield
    }
    return found
  }

  async replace(chat: { id: string; user_id: string }, tags: readonly TagName[]): Promise<void> {
    await this.#storage.run(this.#builder.deleteFrom('chat_tag').where('chat_id', '=', chat.id))
    for (const { id, name } of tags) {
      await this.#storage.run(
        this.#builder
          .insertInto('chat_tag')
          .values({ chat_id: chat.id, tag_id: id, user_id: chat.user_id, name }),
      )
    }
  }

  /** Yields tags on chats that are not in the trash, by id; one step for some chats of a tag. */
  async *ofUser(userId: string): AsyncGenerator<void, TagName[]> {
    const found: TagName[] = []
    for (
      let id = await this.#next.get(userId, '');
      id !== undefined;
      id = await this.#next.get(userId, id)
    ) {
      const name = yield* this.#nameOf(userId, id)
      if (name !== null) found.push({ id, name })
    }
    return found
  }

  #sorted(
    userId: string,
    tagId: string,
    slice: { offset: number; limit: number },
  ): Promise<ListRow[]> {
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

  /**
   * Returns the name of a tag as used by a chat that is not in the trash; in steps, because many
   * may have it.
   */
  async *#nameOf(userId: string, tagId: string): AsyncGenerator<void, string | null> {
    let name: string | null = null
    for (let some = await this.#someOfTag.get(userId, tagId, ''); some;) {
      if (some.name !== null && (name === null || some.name < name)) name = some.name
      yield
      some = await this.#someOfTag.get(userId, tagId, some.last)
    }
    return name
  }
}
