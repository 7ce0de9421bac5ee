import { sql, type Insertable, type SelectQueryBuilder, type Updateable } from 'kysely'
import { toOwnerWord } from '../../lib/text/words.ts'
import type { Storage } from '../../storage/index.ts'
import type { Schema } from '../../storage/schema.ts'
import type {
  ChannelFileTable,
  ChannelMessageTable,
  ChannelTable,
} from '../../storage/tables/channels.ts'

/**
 * A stored message; for a webhook with the webhook's name at that time, null once the webhook was
 * deleted.
 */
export type MessageRow = Omit<ChannelMessageTable, 'seq' | 'done' | 'reply_count'> & {
  readonly seq: number
  readonly done: number
  readonly reply_count: number
  readonly webhook_name: string | null
}
export type NewMessage = Omit<Insertable<ChannelMessageTable>, 'seq'>
export type FileLink = Omit<ChannelFileTable, 'message_seq' | 'channel_id'>

/** Part of a list to read, newest first. */
export interface Slice {
  readonly skip?: number
  readonly limit: number
  /** Only messages older or newer than this time; of the newer ones, those closest to it. */
  readonly before?: number
  readonly after?: number
}

/** Data stored alongside a message. */
interface Beside {
  readonly mentions: readonly string[]
  readonly files: readonly FileLink[]
  /** The text as it is indexed; null while the text is still being written. */
  readonly words: string | null
}

type ChannelWithFile = Pick<ChannelTable, 'id' | 'user_id' | 'type'> & {
  readonly is_member: number
}

const COLUMNS = [
  'm.seq',
  'm.id',
  'm.channel_id',
  'm.user_id',
  'm.webhook_id',
  'm.identity',
  'm.model_id',
  'm.model_name',
  'm.done',
  'm.error',
  'm.parent_id',
  'm.reply_to_id',
  'm.content',
  'm.data',
  'm.meta',
  'm.pinned_at',
  'm.pinned_by',
  'm.reply_count',
  'm.latest_reply_at',
  'm.created_at',
  'm.updated_at',
  'm.edited_at',
  'i.name as webhook_name',
] as const

const PINNED_PAGE = 50

const asNumbers = (values: readonly number[]) =>
  sql<number>`(select cast(value as bigint) from json_each(${JSON.stringify(values)}))`

/** SQL on `channel_message`, its related tables and its search index. Each method is atomic. */
export class MessageStore {
  readonly #storage: Storage
  readonly #index
  readonly #names
  readonly #reactors
  readonly #own
  readonly #find
  readonly #channelsWithFile

  constructor(storage: Storage) {
    this.#storage = storage
    this.#index = storage.prepare(
      storage.dialect.putWords({
        index: 'channel_message_search',
        columns: ['place', 'content'],
        rows: 'values (?, ?, ?)',
      }),
    )
    this.#names = storage.prepare<[number, number], { name: string; count: number }>(
      'select name, count(*) as count from channel_reaction where message_seq = ? group by name order by min(seq) limit ?',
    )
    this.#reactors = storage.prepare<[number, string, number], { user_id: string }>(
      'select user_id from channel_reaction where message_seq = ? and name = ? order by seq limit ?',
    )
    this.#own = storage.prepare<[number, string, string], { user_id: string }>(
      'select user_id from channel_reaction where message_seq = ? and name = ? and user_id = ?',
    )
    this.#find = storage.prepare<[string, number, number], { seq: number }>(
      `select rowid as seq from channel_message_search where ${storage.dialect.matches('channel_message_search', 'channel_message_search', '?')} and rowid < ? order by rowid desc limit ?`,
    )
    this.#channelsWithFile = storage.prepare<[string, string], ChannelWithFile>(
      'select distinct c.id, c.user_id, c.type, exists (select 1 from channel_member m where m.channel_id = c.id and m.user_id = ? ' +
        'and m.is_active = 1) as is_member from channel_file f cross join channel c ' +
        'where c.id = f.channel_id and f.file_id = ? and c.deleted_at is null',
    )
  }

  /**
   * Stores a message after those of its channel, regardless of the clocks of other gateways: no two
   * messages of a channel have the same time, and none precedes one that could already be read.
   */
  async insert(given: NewMessage, { mentions, files, words }: Beside): Promise<void> {
    await this.#storage.transaction(async () => {
      const time = Math.max(given.created_at, (await this.lastTimeIn(given.channel_id)) + 1)
      const message = { ...given, created_at: time, updated_at: Math.max(given.updated_at, time) }
      await this.#storage.insert('channel_message', message)
      const seq = (await this.#seqOf(message.id))!
      const { channel_id, created_at } = message
      for (const user_id of mentions) {
        await this.#storage.insert('channel_mention', {
          user_id,
          channel_id,
          created_at,
          message_seq: seq,
        })
      }
      await this.#putFiles(seq, channel_id, files)
      if (words !== null) await this.#index.run(seq, toOwnerWord(channel_id), words)
    })
  }

  /**
   * Resolves with false if the message was deleted meanwhile. `files` and `words` stay unchanged if
   * not given.
   */
  async update(
    id: string,
    changes: Updateable<ChannelMessageTable>,
    { files, words }: Partial<Beside> = {},
  ): Promise<boolean> {
    return this.#storage.transaction(async () => {
      const row = await this.#storage.get(
        this.#storage.builder
          .selectFrom('channel_message')
          .select(['seq', 'channel_id'])
          .where('id', '=', id),
      )
      if (!row) return false
      await this.#storage.update('channel_message', { seq: row.seq }, changes)
      if (files) await this.#putFiles(row.seq, row.channel_id, files)
      if (words != null) await this.#index.run(row.seq, toOwnerWord(row.channel_id), words)
      return true
    })
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#storage.remove('channel_message', id)) > 0
  }

  /** Ends answers that a previous process left unfinished. */
  async endUnfinished(error: string, isGoingOn: (id: string) => boolean): Promise<void> {
    const unfinished = await this.#storage.all(
      this.#storage.builder.selectFrom('channel_message').select('id').where('done', '=', 0),
    )
    for (const { id } of unfinished)
      if (!isGoingOn(id))
        await this.#storage.update('channel_message', { id, done: 0 }, { done: 1, error })
  }

  /**
   * Resolves with the time of the last message of a channel, including threads; 0 if there is none.
   */
  async lastTimeIn(channelId: string): Promise<number> {
    const last = await this.#storage.get(
      this.#storage.builder
        .selectFrom('channel_message')
        .select('created_at')
        .where('channel_id', '=', channelId)
        .orderBy('created_at', 'desc')
        .limit(1),
    )
    return last?.created_at ?? 0
  }

  async lastTime(): Promise<number> {
    return (
      (
        await this.#storage.get(
          this.#storage.builder
            .selectFrom('channel_message')
            .select('created_at')
            .orderBy('seq', 'desc')
            .limit(1),
        )
      )?.created_at ?? 0
    )
  }

  async get(channelId: string, id: string): Promise<MessageRow | null> {
    return (
      (await this.#storage.get(
        this.#select().where('m.id', '=', id).where('m.channel_id', '=', channelId),
      )) ?? null
    )
  }

  async find(id: string): Promise<MessageRow | null> {
    return (await this.#storage.get(this.#select().where('m.id', '=', id))) ?? null
  }

  async atSeq(seq: number): Promise<MessageRow | null> {
    return (await this.#storage.get(this.#select().where('m.seq', '=', seq))) ?? null
  }

  /** Messages that are not in a thread. */
  async list(channelId: string, slice: Slice): Promise<MessageRow[]> {
    return this.#read(
      this.#seqs().where('channel_id', '=', channelId).where('parent_id', 'is', null),
      slice,
    )
  }

  async thread(parentId: string, slice: Slice): Promise<MessageRow[]> {
    return this.#read(this.#seqs().where('parent_id', '=', parentId), slice)
  }

  async pinned(channelId: string, page: number): Promise<MessageRow[]> {
    const list = this.#select()
      .where('m.channel_id', '=', channelId)
      .where('m.pinned_at', 'is not', null)
    return this.#storage.all(
      list
        .orderBy('m.pinned_at', 'desc')
        .limit(PINNED_PAGE)
        .offset((page - 1) * PINNED_PAGE),
    )
  }

  async reactionNames(seq: number, most: number): Promise<{ name: string; count: number }[]> {
    return this.#names.all(seq, most)
  }

  async reactors(seq: number, name: string, most: number): Promise<string[]> {
    return (await this.#reactors.all(seq, name, most)).map(({ user_id }) => user_id)
  }

  async hasReacted(seq: number, name: string, userId: string): Promise<boolean> {
    return (await this.#own.get(seq, name, userId)) !== undefined
  }

  async addReaction(reaction: {
    message_seq: number
    name: string
    user_id: string
    created_at: number
  }): Promise<boolean> {
    return (
      (await this.#storage.run(
        this.#storage.builder
          .insertInto('channel_reaction')
          .values(reaction)
          .onConflict((conflict) => conflict.doNothing()),
      )) > 0
    )
  }

  async removeReaction(seq: number, name: string, userId: string): Promise<boolean> {
    const reactions = this.#storage.builder
      .deleteFrom('channel_reaction')
      .where('message_seq', '=', seq)
      .where('name', '=', name)
    return (await this.#storage.run(reactions.where('user_id', '=', userId))) > 0
  }

  /** Returns the files of messages by their `seq`. */
  async filesOf(seqs: readonly number[]): Promise<ReadonlyMap<number, FileLink[]>> {
    const files = await this.#storage.all(
      this.#storage.builder
        .selectFrom('channel_file')
        .select(['message_seq', 'file_id', 'name', 'content_type', 'size'])
        .where('message_seq', 'in', seqs),
    )
    const bySeq = new Map<number, FileLink[]>(seqs.map((seq) => [seq, []]))
    for (const { message_seq: seq, ...file } of files) bySeq.get(seq)?.push(file)
    return bySeq
  }

  /** Returns those of the messages that have reactions. */
  async withReactions(seqs: readonly number[]): Promise<ReadonlySet<number>> {
    const found = await this.#storage.all(
      this.#storage.builder
        .selectFrom('channel_reaction')
        .select('message_seq')
        .distinct()
        .where('message_seq', 'in', seqs),
    )
    return new Set(found.map(({ message_seq: seq }) => seq))
  }

  async removeFile(fileId: string): Promise<void> {
    await this.#storage.remove('channel_file', { file_id: fileId })
  }

  /**
   * Channels a file is attached in.
   *
   * @NOTE Not a promise, because the read rules of files are evaluated synchronously.
   */
  channelsWithFile(fileId: string, userId: string): Promise<ChannelWithFile[]> {
    return this.#channelsWithFile.all(userId, fileId)
  }

  async findSeqs(match: string, below: number, limit: number): Promise<number[]> {
    return (await this.#find.all(match, below, limit)).map(({ seq }) => seq)
  }

  async #seqOf(id: string): Promise<number | null> {
    return (
      (
        await this.#storage.get(
          this.#storage.builder.selectFrom('channel_message').select('seq').where('id', '=', id),
        )
      )?.seq ?? null
    )
  }

  async #putFiles(seq: number, channelId: string, files: readonly FileLink[]): Promise<void> {
    await this.#storage.remove('channel_file', { message_seq: seq })
    for (const file of files)
      await this.#storage.insert('channel_file', {
        ...file,
        message_seq: seq,
        channel_id: channelId,
      })
  }

  #seqs() {
    return this.#storage.builder.selectFrom('channel_message').select('seq')
  }

  #select() {
    return this.#storage.builder
      .selectFrom('channel_message as m')
      .leftJoin('channel_webhook_identity as i', 'i.seq', 'm.identity')
      .select(COLUMNS)
  }

  /** Finds the positions by an index alone, because many may be skipped. */
  async #read(
    list: SelectQueryBuilder<Schema, 'channel_message', { seq: number }>,
    { skip = 0, limit, before, after }: Slice,
  ): Promise<MessageRow[]> {
    let query = list
    if (before !== undefined) query = query.where('created_at', '<', before)
    if (after !== undefined) query = query.where('created_at', '>', after)
    const places = await this.#storage.all(
      query
        .orderBy('created_at', after === undefined ? 'desc' : 'asc')
        .limit(limit)
        .offset(skip),
    )
    const found = this.#select().where('m.seq', 'in', asNumbers(places.map(({ seq }) => seq)))
    return this.#storage.all(found.orderBy('m.created_at', 'desc'))
  }
}
