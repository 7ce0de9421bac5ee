import type { SelectQueryBuilder } from 'kysely'
import type { SortedQuery } from '#contract/chat-lists.ts'
import { inGroups } from '../../lib/timing/in-groups.ts'
import type { Dialect } from '../../storage/dialect.ts'
import type { Storage } from '../../storage/index.ts'
import { isLike, toPattern } from '../../storage/is-like.ts'
import type { Schema } from '../../storage/schema.ts'
import { ManyChatsStore } from '../reading/many-chats-store.ts'
import { LIST_COLUMNS, NO, YES, type ChatRow, type ListRow } from '../store.ts'

/** Number of chats whose ids are read in one statement. */
const IDS_AT_ONCE = 64

export type SortedList = 'archived' | 'shared' | 'everything'

export interface UsageRow {
  readonly role: string
  readonly model: string | null
  readonly messages: number
  readonly characters: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly last_message_at: number
}

export interface StatisticsRow {
  readonly seq: number
  readonly id: string
  readonly parentId: string | null
  readonly role: string
  readonly model: string | null
  readonly timestamp: number
  readonly content_length: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

/** Messages of a chat after one of them, up to another one, by their `seq`. */
export interface MessagePart {
  readonly after: number
  readonly end: number
}

/** Filter by the time of the last change, in unix seconds. */
export interface Period {
  readonly from?: number
  readonly before?: number
}

const PAGE = 60
/** Upper limit of token counts, so that their sum stays a valid number. */
const MOST_TOKENS = 1_000_000_000
/** Number of messages read in one statement, and of their bytes. */
const STEP = 500
const BYTES_OF_A_STEP = 2 * 1024 * 1024
/**
 * Number of chats changed in one statement of a change to all of them: each is written as a whole,
 * in a table and several indexes.
 */
const CHANGE_STEP = 50

type ChatQuery = SelectQueryBuilder<Schema, 'chat', object>

const some = (condition: string): string =>
  `where seq in (select seq from chat where user_id = ? and deleted_at is null and ${condition} limit ${CHANGE_STEP})`
const counting =
  ({ countIn }: Dialect) =>
  (name: string): string =>
    `min(${countIn('extra', `usage.${name}`)}, ${MOST_TOKENS})`
const seqsBy = (storage: Storage, condition: string) =>
  storage
    .prepare<[string], number>(
      `select seq from chat where user_id = ? and deleted_at is null ${condition} order by updated_at desc, seq desc`,
    )
    .pluck()

/** Additional lists, and changes to all chats of a user. */
export class ListStore {
  readonly #storage: Storage
  readonly #builder
  readonly #many
  readonly #everything
  readonly #archived
  readonly #ofEverybody
  readonly #ownedIdsAt
  readonly #idsAt
  readonly #accounts
  readonly #archive
  readonly #unarchive
  readonly #trash
  readonly #sizes
  readonly #usage
  readonly #models
  readonly #responseTime
  readonly #statistics

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
    this.#many = new ManyChatsStore(storage)
    const tokens = counting(storage.dialect)
    this.#everything = seqsBy(storage, '')
    this.#archived = seqsBy(storage, 'and archived = 1')
    // Reads only the index, which a scan of the chats would not do by default.
    this.#ofEverybody = storage
      .prepare<[], number>(
        `select seq from chat${storage.dialect.through('chat_by_age')} where deleted_at is null order by updated_at desc, seq desc`,
      )
      .pluck()
    const listed = '(select cast(value as bigint) from json_each(?))'
    this.#ownedIdsAt = storage.prepare<[string], Pick<ChatRow, 'seq' | 'id'>>(
      `select chat.seq, chat.id from chat join "user" owner on owner.id = chat.user_id where chat.seq in ${listed} and chat.deleted_at is null and owner.deleted_at is null`,
    )
    this.#idsAt = storage.prepare<[string, string], Pick<ChatRow, 'seq' | 'id' | 'archived'>>(
      `select seq, id, archived from chat where seq in ${listed} and user_id = ? and deleted_at is null`,
    )
    this.#accounts = this.#builder.selectFrom('user').select('id').where('deleted_at', 'is', null)
    this.#archive = storage.prepare(
      `update chat set archived = 1, folder_id = null ${some('archived = 0')}`,
    )
    this.#unarchive = storage.prepare(`update chat set archived = 0 ${some('archived = 1')}`)
    this.#trash = storage.prepare(`update chat set deleted_at = unixepoch() ${some('1 = 1')}`)
    this.#sizes = storage.prepare<[string, number], { seq: number; bytes: number }>(
      `select seq, octet_length(content) + octet_length(extra) as bytes from message where chat_id = ? and seq > ? order by seq limit ${STEP}`,
    )
    this.#usage = storage.prepare<[string, number, number], UsageRow>(
      'select role, model, count(*) as messages, sum(length(content)) as characters, max(timestamp) as last_message_at, ' +
        `coalesce(sum(${tokens('prompt_tokens')}), 0) as prompt_tokens, ` +
        `coalesce(sum(${tokens('completion_tokens')}), 0) as completion_tokens ` +
        'from message where chat_id = ? and seq > ? and seq <= ? group by role, model',
    )
    this.#models = storage.prepare<
      [{ chat: string; message: string }],
      { model: string; answers: number }
    >(
      'with recursive thread (id, parent_id, role, model) as (' +
        'select id, parent_id, role, model from message where chat_id = @chat and id = @message union all ' +
        `select above.id, above.parent_id, above.role, above.model ${storage.dialect.eachIn('thread', 'message above', 'above.chat_id = @chat and above.id = thread.parent_id')}` +
        ") select model, count(*) as answers from thread where role = 'assistant' and model is not null group by model",
    )
    this.#responseTime = storage
      .prepare<[string], number | null>(
        'select avg(answer.timestamp - question.timestamp) from message answer ' +
          'join message question on question.chat_id = answer.chat_id and question.id = answer.parent_id ' +
          "where answer.chat_id = ? and answer.role = 'assistant' and question.role = 'user' and answer.timestamp >= question.timestamp",
      )
      .pluck()
    this.#statistics = storage.prepare<[string, number, number], StatisticsRow>(
      'select seq, id, parent_id as "parentId", role, model, timestamp, length(content) as content_length, ' +
        `coalesce(${tokens('prompt_tokens')}, 0) as prompt_tokens, coalesce(${tokens('completion_tokens')}, 0) as completion_tokens ` +
        'from message where chat_id = ? and seq > ? and seq <= ? order by seq',
    )
  }

  async sorted(
    userId: string,
    list: SortedList,
    { page, query, order_by, direction: wanted }: SortedQuery,
  ): Promise<string[]> {
    const direction = wanted || 'desc'
    let chats = this.#inList(userId, list)
      .select('id')
      .orderBy(order_by || 'updated_at', direction)
      .orderBy('seq', direction)
    if (query) chats = chats.where(isLike(this.#storage.dialect, ['title'], toPattern(query)))
    if (page !== undefined) chats = chats.limit(PAGE).offset((page - 1) * PAGE)
    return (await this.#many.read(userId, chats)).map(({ id }) => id)
  }

  /**
   * Yields ids of requested chats, newest first. Each is checked when it is requested, because
   * there may be very many; null for one that is not in the list.
   */
  async *idsIn(
    userId: string,
    list: 'archived' | 'unarchived' | 'everything',
  ): AsyncGenerator<string | null, undefined> {
    const chats = list === 'archived' ? this.#archived : this.#everything
    for (const seqs of inGroups(await this.#many.values(userId, chats), IDS_AT_ONCE)) {
      const rows = await this.#idsAt.all(JSON.stringify(seqs), userId)
      const found = new Map(rows.map((row) => [row.seq, row]))
      for (const seq of seqs) {
        const chat = found.get(seq)
        const isIn = list === 'everything' || chat?.archived === (list === 'archived' ? 1 : 0)
        yield chat && isIn ? chat.id : null
      }
    }
  }

  /** Yields the ids of the chats of all accounts; null for one deleted meanwhile. */
  async *idsOfEverybody(): AsyncGenerator<string | null, undefined> {
    for (const seqs of inGroups(await this.#ofEverybody.allBeside(), IDS_AT_ONCE)) {
      const rows = await this.#ownedIdsAt.all(JSON.stringify(seqs))
      const found = new Map(rows.map((row) => [row.seq, row.id]))
      for (const seq of seqs) yield found.get(seq) ?? null
    }
  }

  idsInFolders(userId: string, folderIds: readonly string[]): Promise<string[]> {
    return this.#idsOf(
      userId,
      this.#ownChats(userId).where('folder_id', 'in', folderIds).where('archived', '=', NO),
    )
  }

  inFolder(
    userId: string,
    folderId: string,
    slice: { offset: number; limit: number },
  ): Promise<ListRow[]> {
    return this.#storage.all(
      this.#ownChats(userId)
        .where('folder_id', '=', folderId)
        .where('archived', '=', NO)
        .select(LIST_COLUMNS)
        .orderBy('updated_at', 'desc')
        .orderBy('seq', 'desc')
        .limit(slice.limit)
        .offset(slice.offset),
    )
  }

  async count(userId: string, period: Period = {}): Promise<number> {
    const [counted] = await this.#many.read(
      userId,
      this.#chatsOf(userId, period).select(({ fn }) => fn.countAll<number>().as('chats')),
    )
    return counted!.chats
  }

  page(
    userId: string,
    slice: { offset: number; limit: number },
    period: Period = {},
  ): Promise<ChatRow[]> {
    return this.#many.read(
      userId,
      this.#chatsOf(userId, period)
        .selectAll()
        .orderBy('updated_at', 'desc')
        .orderBy('seq', 'desc')
        .limit(slice.limit)
        .offset(slice.offset),
    )
  }

  /** Archives a limited number of chats; resolves with true while there may be more. */
  async archiveSome(userId: string): Promise<boolean> {
    return (await this.#archive.run(userId)).changes === CHANGE_STEP
  }

  async unarchiveSome(userId: string): Promise<boolean> {
    return (await this.#unarchive.run(userId)).changes === CHANGE_STEP
  }

  async trashSome(userId: string): Promise<boolean> {
    return (await this.#trash.run(userId)).changes === CHANGE_STEP
  }

  /**
   * Returns the last of the messages after the given one that are read in one statement: as many as
   * stay within the size limit.
   */
  async endOfStep(chatId: string, after: number): Promise<number | null> {
    let [end, room]: [number | null, number] = [null, BYTES_OF_A_STEP]
    for (const { seq, bytes } of await this.#sizes.all(chatId, after)) {
      if (end !== null && bytes > room) break
      end = seq
      room -= bytes
    }
    return end
  }

  /** Returns the usage of a part of a chat, by role and model. */
  usage(chatId: string, { after, end }: MessagePart): Promise<UsageRow[]> {
    return this.#usage.all(chatId, after, end)
  }

  /** Returns the number of answers in the thread that ends with a message, by model. */
  modelsOfThread(chatId: string, messageId: string): Promise<{ model: string; answers: number }[]> {
    return this.#models.allBeside({ chat: chatId, message: messageId })
  }

  /** Returns the average number of seconds from a question to its answer; 0 if there are none. */
  async averageResponseTime(chatId: string): Promise<number> {
    const [seconds] = await this.#responseTime.allBeside(chatId)
    return seconds ?? 0
  }

  /** Returns the message statistics of a part of a chat. */
  statistics(chatId: string, { after, end }: MessagePart): Promise<StatisticsRow[]> {
    return this.#statistics.all(chatId, after, end)
  }

  #ownChats(userId: string): ChatQuery {
    return this.#builder
      .selectFrom('chat')
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
  }

  #chatsOf(userId: string, { from, before }: Period): ChatQuery {
    let chats = this.#ownChats(userId)
    if (from !== undefined) chats = chats.where('updated_at', '>=', from)
    if (before !== undefined) chats = chats.where('updated_at', '<', before)
    return chats
  }

  #inList(userId: string, list: SortedList): ChatQuery {
    if (list === 'everything') return this.#ownChats(userId).where('user_id', 'in', this.#accounts)
    return list === 'archived'
      ? this.#ownChats(userId).where('archived', '=', YES)
      : this.#ownChats(userId).where('share_id', 'is not', null)
  }

  async #idsOf(userId: string, query: ChatQuery): Promise<string[]> {
    return (
      await this.#many.read(
        userId,
        query.select('id').orderBy('updated_at', 'desc').orderBy('seq', 'desc'),
      )
    ).map((row) => row.id)
  }
}
