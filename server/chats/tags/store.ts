import type { Storage } from '../../storage/index.ts'
import { LIST_COLUMNS, NO, type ListRow } from '../store.ts'
import type { TagName } from './tag-names.ts'

/** Number of chats in which one statement looks for a tag. */
const CHATS_OF_A_STEP = 500
/** Number of tags on chats of a user from which a statement that reads all of them may take long. */
const MANY_TAGS = 5000
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
  readonly #ofUser
  readonly #hasMany
  readonly #isFrequent
  readonly #older
  readonly #rows

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
    this.#ofUser = storage.prepare<[string], TagName>(
      'select t.tag_id as id, min(t.name) as name from chat_tag t join chat c on c.id = t.chat_id ' +
        'where t.user_id = ? and c.deleted_at is null group by t.tag_id order by t.tag_id',
    )
    this.#hasMany = storage.prepare<[string]>(
      `select 1 from chat_tag where user_id = ? limit 1 offset ${MANY_TAGS}`,
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
    await this.#storage.remove('chat_tag', { chat_id: chat.id })
    if (tags.length === 0) return
    await this.#storage.insert(
      'chat_tag',
      tags.map(({ id, name }) => ({
        chat_id: chat.id,
        tag_id: id,
        user_id: chat.user_id,
        name,
      })),
    )
  }

  /** Returns the tags on chats that are not in the trash, by id. */
  async ofUser(userId: string): Promise<TagName[]> {
    const isLong = (await this.#hasMany.get(userId)) !== undefined
    return isLong ? this.#ofUser.allBeside(userId) : this.#ofUser.all(userId)
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
}
