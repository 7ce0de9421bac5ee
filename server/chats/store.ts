import { sql, type Selectable } from 'kysely'
import type { SizedId } from '../lib/timing/read-in-groups.ts'
import type { Dialect } from '../storage/dialect.ts'
import type { Storage } from '../storage/index.ts'
import type { ChatTable } from '../storage/tables/chats.ts'
import { AnswerWriters } from './answers/answer-writer-store.ts'
import { ManyChatsStore } from './reading/many-chats-store.ts'
import { MessageInserts } from './saving/message-inserts.ts'
import { MessageWatches } from './reading/message-watches.ts'
import { type LinkOfChat, Snapshots } from './reading/snapshots.ts'
import type { LinkRow, MessageRow, NewMessageRow } from './chat-rows.ts'

export type ChatRow = Selectable<ChatTable>
export const LIST_COLUMNS = [
  'id',
  'title',
  'created_at',
  'updated_at',
  'pinned',
  'archived',
  'folder_id',
  'share_id',
  'tags',
  'last_read_at',
] as const
export type ListRow = Pick<ChatRow, (typeof LIST_COLUMNS)[number]>

export interface ListOptions {
  readonly includePinned: boolean
  readonly includeFolders: boolean
  /** Number of chats to skip and to return; everything when absent. */
  readonly slice?: { readonly offset: number; readonly limit: number }
}

/**
 * `deleted_at` of a chat whose messages are still being stored: it is never shown, and the rest
 * after a crash is erased.
 */
export const UNFINISHED = -1

/**
 * Flags are literals: a partial index is only used if the query repeats its condition literally.
 */
export const YES = sql.lit(1)
export const NO = sql.lit(0)

const MESSAGE_COLUMNS =
  'm.seq, m.chat_id, m.id, m.parent_id, m.role, m.content, m.parts, m.reasoning_content, m.model, m.done, m.running, m.timestamp, m.extra'

const BYTES =
  'octet_length(content) + coalesce(octet_length(parts), 0) + coalesce(octet_length(reasoning_content), 0) + octet_length(extra)'

const RECORD_BYTES =
  'octet_length(title) + octet_length(models) + octet_length(params) + octet_length(files) + octet_length(tags) + octet_length(extra) + octet_length(history_extra) + octet_length(meta)'

const UPDATE_MESSAGE =
  'update message set parent_id = @parent_id, role = @role, content = @content, parts = @parts, reasoning_content = @reasoning_content, ' +
  'model = @model, done = @done, running = @running, timestamp = @timestamp, extra = @extra where seq = @seq'

/**
 * Most changes leave a message at its position; without its tree position two indexes need not be
 * written.
 */
const UPDATE_IN_PLACE =
  'update message set role = @role, content = @content, parts = @parts, reasoning_content = @reasoning_content, ' +
  'model = @model, done = @done, timestamp = @timestamp, extra = @extra where seq = @seq'

const SAVE_TEXT =
  'update message set content = coalesce(@content, content), parts = case when @content is null then parts end, ' +
  'reasoning_content = coalesce(@reasoning, reasoning_content) where chat_id = @chatId and id = @id'

/** Larger than the number of messages a branch can have. */
const LONGEST_BRANCH = 2_000_000_000

/** For a run that another gateway may have ended. */
const SAVE_OWN_TEXT = SAVE_TEXT + ' and writer = @writer'

const climbBy = ({ eachIn }: Dialect): string =>
  'with recursive branch (seq, parent_id, depth) as (' +
  ' select seq, parent_id, 0 from message where chat_id = @chatId and id = @id' +
  ` union all select m.seq, m.parent_id, depth + 1 ${eachIn('branch', 'message m', 'm.chat_id = @chatId and m.id = branch.parent_id and branch.depth < @limit - 1')}) ` +
  'select ' +
  MESSAGE_COLUMNS +
  ' from branch cross join message m where m.seq = branch.seq order by branch.depth'

const NEWEST_LEAF =
  'with recursive branch (id, depth) as (' +
  ' select id, 0 from message where chat_id = @chatId and id = @id' +
  ' union all select (select m.id from message m where m.chat_id = @chatId and m.parent_id = branch.id order by m.seq desc limit 1), depth + 1' +
  ' from branch where branch.id is not null) ' +
  'select id from branch where id is not null order by depth desc limit 1'

const depthBy = ({ eachIn }: Dialect): string =>
  'with recursive branch (parent_id) as (' +
  ' select parent_id from message where chat_id = @chatId and id = @id' +
  ` union all select m.parent_id ${eachIn('branch', 'message m', 'm.chat_id = @chatId and m.id = branch.parent_id')}) ` +
  'select count(*) from branch'

const descendantsBy = ({ eachIn }: Dialect): string =>
  'with recursive below (seq, id) as (' +
  ' select seq, id from message where chat_id = @chatId and id = @id' +
  ` union all select m.seq, m.id ${eachIn('below', 'message m', 'm.chat_id = @chatId and m.parent_id = below.id')}) ` +
  'select seq, id from below'

const CHILDREN =
  'select seq, id, parent_id from message where chat_id = @chatId and parent_id in (select value from json_each(@parentIds)) order by seq'

/** Prepares the statements on messages. */
const prepareMessages = (storage: Storage) => ({
  byId: storage.prepare<[string, string], MessageRow>(
    'select ' + MESSAGE_COLUMNS + ' from message m where chat_id = ? and id = ?',
  ),
  link: storage.prepare<[string, string], LinkRow>(
    'select seq, id, parent_id from message where chat_id = ? and id = ?',
  ),
  seqsOfChat: storage
    .prepare<[string], number>('select seq from message where chat_id = ? order by seq')
    .pluck(),
  bySeqs: storage.prepare<[string], MessageRow>(
    'select ' +
      MESSAGE_COLUMNS +
      ' from message m where seq in (select cast(value as bigint) from json_each(?))',
  ),
  sizesBySeqs: storage.prepare<[string], { seq: number; bytes: number }>(
    `select seq, ${BYTES} as bytes from message where seq in (select cast(value as bigint) from json_each(?))`,
  ),
  update: storage.prepare(UPDATE_MESSAGE),
  updateInPlace: storage.prepare(UPDATE_IN_PLACE),
  saveText: storage.prepare(SAVE_TEXT),
  saveOwnText: storage.prepare(SAVE_OWN_TEXT),
  climb: storage.prepare<[object], MessageRow>(climbBy(storage.dialect)),
  newestLeaf: storage.prepare<[object], { id: string }>(NEWEST_LEAF),
  newestRoot: storage.prepare<[string], { id: string }>(
    'select id from message where chat_id = ? and parent_id is null order by seq desc limit 1',
  ),
  depth: storage.prepare<[object], number>(depthBy(storage.dialect)).pluck(),
  descendants: storage.prepare<[object], Pick<MessageRow, 'seq' | 'id'>>(
    descendantsBy(storage.dialect),
  ),
  children: storage.prepare<[object], LinkRow>(CHILDREN),
  roots: storage.prepare<[string], LinkRow>(
    'select seq, id, parent_id from message where chat_id = ? and parent_id is null order by seq',
  ),
  running: storage.prepare<[], MessageRow>(
    'select ' + MESSAGE_COLUMNS + ' from message m where running = 1',
  ),
  announced: storage.prepare<[string], MessageRow>(
    'select ' +
      MESSAGE_COLUMNS +
      " from message m where chat_id = ? and role = 'assistant' and done = 0 and running = 0",
  ),
  remove: storage.prepare('delete from message where seq = ?'),
  removeMany: storage.prepare(
    'delete from message where seq in (select cast(value as bigint) from json_each(?))',
  ),
  linksBySeqs: storage.prepare<[string], LinkRow & { bytes: number }>(
    `select seq, id, parent_id, ${BYTES} as bytes from message where seq in (select cast(value as bigint) from json_each(?))`,
  ),
  firstLinks: storage.prepare<[string, number], LinkRow & { bytes: number }>(
    `select seq, id, parent_id, ${BYTES} as bytes from message where chat_id = ? order by seq limit ?`,
  ),
  linksOfChats: storage.prepare<[string, number], LinkOfChat>(
    `select chat_id, seq, id, parent_id, ${BYTES} as bytes from message where chat_id in (select value from json_each(?)) order by chat_id, seq limit ?`,
  ),
})

/** SQL on the tables of chats and their messages. */
export class ChatStore {
  readonly #storage: Storage
  readonly #builder
  readonly #byId
  readonly #byIds
  readonly #sizedIds
  // Reads no chat rows, because their index contains these columns.
  readonly #byAge
  readonly #owner
  readonly #touch
  readonly #messages
  readonly #inserts
  readonly snapshots
  /** Runs that write answers, if several gateways share the database. */
  readonly writers: AnswerWriters
  readonly watches = new MessageWatches()
  readonly #addExpected
  readonly #expectedParent
  readonly #removeArrived
  readonly #forgetExpected
  readonly #expectedOfChat
  readonly #expectedOfChats
  readonly #chatsOfUser
  readonly #mentionCount
  readonly #many

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
    this.#many = new ManyChatsStore(storage)
    this.#byId = storage.prepare<[string], ChatRow>('select * from chat where id = ?')
    this.#byIds = storage.prepare<[string], ChatRow>(
      'select * from chat where deleted_at is null and id in (select value from json_each(?))',
    )
    this.#sizedIds = storage.prepare<[string], SizedId>(
      `select id, ${RECORD_BYTES} as bytes from chat where deleted_at is null and id in (select value from json_each(?))`,
    )
    this.#byAge = storage
      .prepare<[string], number>(
        'select seq from chat where user_id = ? and deleted_at is null order by updated_at desc, seq desc',
      )
      .pluck()
    this.#owner = storage.prepare<[string]>(
      'select 1 from "user" where id = ? and deleted_at is null',
    )
    this.#touch = storage.prepare('update chat set updated_at = ?, current_id = ? where id = ?')
    this.#messages = prepareMessages(storage)
    this.#inserts = new MessageInserts(storage)
    this.writers = new AnswerWriters(storage, (seqs) =>
      this.#messages.bySeqs.all(JSON.stringify(seqs)),
    )
    this.snapshots = new Snapshots(
      {
        linksOfSeveral: (chatIds, most) =>
          this.#messages.linksOfChats.all(JSON.stringify(chatIds), most),
        seqs: (chatId) => this.#messages.seqsOfChat.all(chatId),
        firstLinks: (chatId, most) => this.#messages.firstLinks.all(chatId, most),
        links: (seqs) => this.#messages.linksBySeqs.all(JSON.stringify(seqs)),
        rows: (seqs) => this.#messages.bySeqs.all(JSON.stringify(seqs)),
        sizes: async (seqs) =>
          new Map(
            (await this.#messages.sizesBySeqs.all(JSON.stringify(seqs))).map(({ seq, bytes }) => [
              seq,
              bytes,
            ]),
          ),
        one: (chatId, id) => this.#messages.byId.get(chatId, id),
      },
      storage.pace.rowsRead,
    )
    this.#addExpected = storage.prepare(
      'insert into expected_child (chat_id, child_id, parent_id) values (?, ?, ?) on conflict do nothing',
    )
    this.#expectedParent = storage.prepare<[string, string], { parent_id: string }>(
      'select parent_id from expected_child where chat_id = ? and child_id = ? limit 1',
    )
    this.#removeArrived = storage.prepare(
      'delete from expected_child where chat_id = ? and child_id = ?',
    )
    this.#forgetExpected = storage.prepare(
      'delete from expected_child where chat_id = @chatId and parent_id not in (select id from message where chat_id = @chatId)',
    )
    this.#expectedOfChat = storage.prepare<[string], { parent_id: string; child_id: string }>(
      'select parent_id, child_id from expected_child where chat_id = ?',
    )
    this.#expectedOfChats = storage.prepare<
      [string, number],
      { chat_id: string; parent_id: string; child_id: string }
    >(
      'select chat_id, parent_id, child_id from expected_child where chat_id in (select value from json_each(?)) order by chat_id, child_id, parent_id limit ?',
    )
    this.#chatsOfUser = storage
      .prepare<[string], string>('select id from chat where user_id = ? order by seq')
      .pluck()
    this.#mentionCount = storage
      .prepare<[string, string, string], number>(
        'select count(distinct m.chat_id) ' +
          storage.dialect.eachIn(
            'json_each(?) chat',
            'message m',
            'm.chat_id = chat.value and (instr(m.extra, ?) > 0 or instr(m.parts, ?) > 0)',
          ),
      )
      .pluck()
  }

  chat(id: string): Promise<ChatRow | undefined> {
    return this.#byId.get(id)
  }

  /** Returns the ids of those chats that are not in the trash, with the size of their records. */
  sizedIds(ids: readonly string[]): Promise<SizedId[]> {
    return this.#sizedIds.all(JSON.stringify(ids))
  }

  chatsByIds(ids: readonly string[]): Promise<ChatRow[]> {
    return this.#byIds.all(JSON.stringify(ids))
  }

  async insertChat(row: Omit<ChatRow, 'seq'>): Promise<ChatRow> {
    return (await this.#storage.get(this.#builder.insertInto('chat').values(row).returningAll()))!
  }

  async updateChat(id: string, changes: Partial<ChatRow>): Promise<void> {
    await this.#storage.update('chat', id, changes)
  }

  async hasOwner(userId: string): Promise<boolean> {
    return (await this.#owner.get(userId)) !== undefined
  }

  /** Updates the fields changed by every turn, without compiling a query. */
  async touchChat(id: string, updatedAt: number, currentId: string | null): Promise<void> {
    await this.#touch.run(updatedAt, currentId, id)
  }

  /** Returns the `seq` of all chats of a user, newest first, including archived ones. */
  seqsByAge(userId: string): Promise<number[]> {
    return this.#many.values(userId, this.#byAge)
  }

  async list(userId: string, options: ListOptions): Promise<string[]> {
    let query = this.#builder
      .selectFrom('chat')
      .select('id')
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .where('archived', '=', NO)
      .orderBy('updated_at', 'desc')
      .orderBy('seq', 'desc')
    if (!options.includePinned) query = query.where('pinned', '=', NO)
    if (!options.includeFolders) query = query.where('folder_id', 'is', null)
    if (options.slice) query = query.limit(options.slice.limit).offset(options.slice.offset)
    const rows = options.slice ? this.#storage.all(query) : this.#many.read(userId, query)
    return (await rows).map(({ id }) => id)
  }

  async pinned(userId: string): Promise<string[]> {
    return (
      await this.#many.read(
        userId,
        this.#builder
          .selectFrom('chat')
          .select('id')
          .where('user_id', '=', userId)
          .where('deleted_at', 'is', null)
          .where('archived', '=', NO)
          .where('pinned', '=', YES)
          .orderBy('updated_at', 'desc')
          .orderBy('seq', 'desc'),
      )
    ).map(({ id }) => id)
  }

  message(chatId: string, id: string): Promise<MessageRow | undefined> {
    return this.#messages.byId.get(chatId, id)
  }

  link(chatId: string, id: string): Promise<LinkRow | undefined> {
    return this.#messages.link.get(chatId, id)
  }

  async insertMessage(row: NewMessageRow): Promise<number> {
    return (await this.insertMessages([row]))[0]!
  }

  /** Resolves with the `seq` of each. */
  async insertMessages(rows: readonly NewMessageRow[]): Promise<number[]> {
    for (const id of new Set(rows.map(({ chat_id }) => chat_id))) this.#noteWrite(id)
    return this.#inserts.insert(rows)
  }

  async updateMessage(row: MessageRow): Promise<void> {
    await this.#noteChange(row.chat_id, row.id)
    await this.#messages.update.run(row)
  }

  /** Same as `updateMessage`, for a message whose position and running state stay unchanged. */
  async updateInPlace(row: MessageRow): Promise<void> {
    await this.#noteChange(row.chat_id, row.id)
    await this.#messages.updateInPlace.run(row)
  }

  /** Writes the texts of a growing answer; null keeps one. */
  async saveText(
    chatId: string,
    id: string,
    {
      writer = null,
      ...texts
    }: { content: string | null; reasoning: string | null; writer?: string | null },
  ): Promise<boolean> {
    await this.snapshots.keep(chatId, id)
    this.watches.noteGrowth(chatId, id)
    this.#storage.afterCommit(() => this.watches.noteGrowth(chatId, id))
    const saved =
      writer === null
        ? this.#messages.saveText.run({ chatId, id, ...texts })
        : this.#messages.saveOwnText.run({ chatId, id, ...texts, writer })
    return (await saved).changes > 0
  }

  /** Returns a message and its ancestors, from it towards the root. */
  climb(chatId: string, id: string, limit = LONGEST_BRANCH): Promise<MessageRow[]> {
    return this.#messages.climb.all({ chatId, id, limit })
  }

  /**
   * Returns the end of the branch through a message that follows the newest child at every fork.
   */
  async newestLeaf(chatId: string, id: string): Promise<string> {
    return (await this.#messages.newestLeaf.get({ chatId, id }))?.id ?? id
  }

  /** Returns the number of messages from the root to this one. */
  async depth(chatId: string, id: string): Promise<number> {
    return (await this.#messages.depth.get({ chatId, id })) ?? 0
  }

  async newestRoot(chatId: string): Promise<string | null> {
    return (await this.#messages.newestRoot.get(chatId))?.id ?? null
  }

  descendants(chatId: string, id: string) {
    return this.#messages.descendants.all({ chatId, id })
  }

  /** Returns the children of several messages, oldest first. */
  children(chatId: string, parentIds: readonly string[]): Promise<LinkRow[]> {
    return this.#messages.children.all({ chatId, parentIds: JSON.stringify(parentIds) })
  }

  roots(chatId: string): Promise<LinkRow[]> {
    return this.#messages.roots.all(chatId)
  }

  running(): Promise<MessageRow[]> {
    return this.#messages.running.all()
  }

  /** Returns the answers of a chat that are not done and that no gateway is writing. */
  announced(chatId: string): Promise<MessageRow[]> {
    return this.#messages.announced.all(chatId)
  }

  async deleteMessage(chatId: string, { seq, id }: Pick<MessageRow, 'seq' | 'id'>): Promise<void> {
    await this.#noteChange(chatId, id)
    await this.#messages.remove.run(seq)
  }

  /** Same as `deleteMessage`, for several messages of a chat with one statement. */
  async deleteMessages(
    chatId: string,
    links: readonly Pick<MessageRow, 'seq' | 'id'>[],
  ): Promise<void> {
    if (links.length === 1) return this.deleteMessage(chatId, links[0]!)
    for (const { id } of links) await this.#noteChange(chatId, id)
    await this.#messages.removeMany.run(JSON.stringify(links.map(({ seq }) => seq)))
  }

  async expectChild(chatId: string, parentId: string, childId: string): Promise<void> {
    await this.#addExpected.run(chatId, childId, parentId)
  }

  async expectedBy(chatId: string, childId: string): Promise<string | null> {
    return (await this.#expectedParent.get(chatId, childId))?.parent_id ?? null
  }

  async childArrived(chatId: string, childId: string): Promise<void> {
    await this.#removeArrived.run(chatId, childId)
  }

  /** Deletes the expected children of deleted messages. */
  async forgetExpectations(chatId: string): Promise<void> {
    await this.#forgetExpected.run({ chatId })
  }

  expectedChildren(chatId: string) {
    return this.#expectedOfChat.all(chatId)
  }

  /** Returns the first expected children of several chats, at most `most`, ordered by chat. */
  expectedOfSeveral(chatIds: readonly string[], most: number) {
    return this.#expectedOfChats.all(JSON.stringify(chatIds), most)
  }

  idsOfUser(userId: string): Promise<string[]> {
    return this.#many.values(userId, this.#chatsOfUser)
  }

  async countMentions(chatIds: readonly string[], text: string): Promise<number> {
    const [count] = await this.#mentionCount.allBeside(JSON.stringify(chatIds), text, text)
    return count!
  }

  async #noteChange(chatId: string, id: string): Promise<void> {
    await this.snapshots.keep(chatId, id)
    this.#noteWrite(chatId)
  }

  /** Repeated after the commit, because a watch that starts before it still reads the old rows. */
  #noteWrite(chatId: string): void {
    this.watches.noteChange(chatId)
    this.#storage.afterCommit(() => this.watches.noteChange(chatId))
  }
}
