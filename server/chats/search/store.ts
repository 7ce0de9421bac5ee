import { inGroups } from '../../lib/timing/in-groups.ts'
import { SHORT_TEXT } from '../../lib/text/index-text.ts'
import { SLICE_MILLISECONDS } from '../../lib/turns.ts'
import type { Dialect } from '../../storage/dialect.ts'
import type { Storage } from '../../storage/index.ts'
import { LIST_COLUMNS, UNFINISHED, type ListRow } from '../store.ts'

/** Conditions on the chat of a hit; null for no condition. */
export interface SearchFilters {
  readonly pinned: boolean | null
  readonly archived: boolean
  readonly shared: boolean | null
  /** True for chats with an attached file or a picture. */
  readonly files: boolean | null
  /** Name or id of a folder. */
  readonly folder: string | null
  /** A tag id, or `none` for chats without tags. */
  readonly tag: string | null
  readonly model: string | null
  /** Limits of the chat's last change, in unix seconds. */
  readonly before: number | null
  readonly after: number | null
  /** Part of the title, for signs and emoji, which are not in the index of words. */
  readonly title: string | null
}

export interface MessageHitRow {
  readonly seq: number
  readonly chat_id: string
  readonly message_id: string
}

/** A match; `fits` is 1 if its chat meets the conditions. */
export interface ScannedRow extends MessageHitRow {
  readonly fits: number
}

interface Matching extends SearchFilters {
  readonly userId: string
}

/** A message search with the index query. */
export interface MessageSearch extends Matching {
  readonly match: string
}

const COLUMNS = LIST_COLUMNS.map((column) => `c.${column}`).join(', ')
const NEWEST_FIRST = ' order by c.updated_at desc, c.seq desc'
/**
 * Without words, a model and a part of a title are searched among this many newest chats of a user;
 * there is no index for them.
 */
const MOST_WITHOUT_INDEX = 20_000
/** The same for chats with files, for which the messages of each are read. */
const MOST_READ = 1000
/**
 * Tags on fewer chats, and smaller folders, are searched through their own index, others by walking
 * the chats by age.
 */
const FEW_CHATS = 2000
/** Maximum number of messages of chats searched for a place. */
const MOST_PLACES = 20_000

/** A message that lists files; JSON has no other spelling of the start of a list with an object. */
const WITH_FILES = `exists (select 1 from message f where f.chat_id = c.id and instr(f.extra, '"files":[{') > 0)`

const toFolders = ({ withoutCase }: Dialect): string =>
  'select f.id from folder f where f.user_id = @userId and ' +
  `(f.id = @folder or ${withoutCase('f.name')} = ${withoutCase('@folder')} or ${withoutCase("replace(f.name, ' ', '_')")} = ${withoutCase('@folder')})`

/**
 * Only given conditions are added to the query, flags as literals, so that the index of each
 * condition is used.
 */
function toConditions(
  { pinned, archived, shared, files, folder, tag, model, before, after, title }: SearchFilters,
  dialect: Dialect,
): string {
  const conditions = [
    'c.user_id = @userId',
    'c.deleted_at is null',
    `c.archived = ${Number(archived)}`,
  ]
  if (pinned !== null) conditions.push(`c.pinned = ${Number(pinned)}`)
  if (shared !== null) conditions.push(`c.share_id is ${shared ? 'not null' : 'null'}`)
  if (files !== null) conditions.push(files ? WITH_FILES : `not ${WITH_FILES}`)
  if (folder !== null) conditions.push(`c.folder_id in (${toFolders(dialect)})`)
  if (tag === 'none')
    conditions.push('not exists (select 1 from chat_tag t where t.chat_id = c.id)')
  else if (tag !== null)
    conditions.push('exists (select 1 from chat_tag t where t.chat_id = c.id and t.tag_id = @tag)')
  if (model !== null) conditions.push('instr(lower(c.models), @model) > 0')
  if (before !== null) conditions.push('c.updated_at < @before')
  if (after !== null) conditions.push('c.updated_at >= @after')
  if (title !== null) conditions.push('instr(c.title, @title) > 0')
  return conditions.join(' and ')
}

/** Returns the named values of the conditions; the model as written in the stored list. */
const toValues = ({ userId, folder, tag, model, before, after, title }: Matching) => ({
  userId,
  folder,
  tag,
  model: model === null ? null : JSON.stringify(model.toLowerCase()),
  before,
  after,
  title,
})

/**
 * @NOTE Numbers are bound as reals, and the index seeks to integers only: without the cast it would
 *   scan all newer hits again.
 */
const toScan = ({ matches }: Dialect): string =>
  `select rowid as seq from message_search where ${matches('message_search', 'message_search', '@match')} and rowid < cast(@below as bigint) ` +
  'order by rowid desc limit @limit'

/**
 * Maximum range of row ids of a chat that is checked with one query; beyond it each message is
 * queried.
 */
const CLOSE = 500
const HIT = 'm.seq, m.chat_id, m.id as message_id'
const toHitsInChats = ({ matches }: Dialect): string =>
  'with span as (select chat_id, min(seq) as first, max(seq) as last from message ' +
  'where chat_id in (select value from json_each(@chatIds)) group by chat_id), hit as (' +
  `select ${HIT} from span cross join message_search s cross join message m ` +
  `where s.rowid between span.first and span.last and m.seq = s.rowid and m.chat_id = span.chat_id ` +
  `and span.last - span.first < ${CLOSE} and ${matches('s', 'message_search', '@match')} union all ` +
  `select ${HIT} from span cross join message m cross join message_search s where m.chat_id = span.chat_id and s.rowid = m.seq ` +
  `and span.last - span.first >= ${CLOSE} and ${matches('s', 'message_search', '@match')}) ` +
  'select seq, chat_id, message_id from (select seq, chat_id, message_id, row_number() over (partition by chat_id order by seq desc) as place from hit) placed ' +
  'where place = 1 order by seq desc'

/**
 * Reads everything from the index of ids, because the rows themselves are as large as their texts.
 */
const MESSAGES_OF_CHATS = `select ${HIT} from message m where m.chat_id in (select value from json_each(@chatIds)) limit ${MOST_PLACES}`

/**
 * Long phrases in long messages take milliseconds each, so a step ends after its time limit,
 * counted from its first row.
 */
function takeStep<Row>(rows: Iterable<Row>): Row[] {
  const taken: Row[] = []
  let end = Infinity
  for (const row of rows) {
    if (taken.push(row) === 1) end = performance.now() + SLICE_MILLISECONDS
    else if (performance.now() > end) break
  }
  return taken
}

const MESSAGE_WORDS = { index: 'message_search', columns: ['owner', 'content'] }

/** A message to be indexed. */
export interface TextToIndex {
  readonly seq: number
  readonly content: string
  readonly running: number
  readonly user_id: string
}

/** Full-text index of messages and titles, and its queries. */
export class SearchStore {
  readonly #storage
  readonly #indexMessage
  readonly #indexTitle
  readonly #forgetMessage
  readonly #listRow
  readonly #text
  readonly #scanSeqs
  readonly #isRareTag
  readonly #isSmallFolder
  readonly #add
  readonly #any
  readonly #next
  readonly #move
  readonly #leave
  readonly #after
  readonly #note
  readonly #changed
  readonly #changedText
  readonly #shortTexts
  readonly #forget

  constructor(storage: Storage) {
    this.#storage = storage
    const { dialect } = storage
    const rows = 'values (?, ?, ?)'
    this.#indexMessage = storage.prepare(dialect.putWords({ ...MESSAGE_WORDS, rows }))
    this.#indexTitle = storage.prepare(
      dialect.putWords({ ...MESSAGE_WORDS, index: 'chat_search', rows }),
    )
    this.#forgetMessage = storage.prepare('delete from message_search where rowid = ?')
    this.#listRow = storage.prepare<[string], ListRow>(
      `select ${COLUMNS} from chat c where c.id = ?`,
    )
    this.#text = storage.prepare<[number], { content: string }>(
      'select content from message where seq = ?',
    )
    this.#scanSeqs = storage.prepare<[object], number>(toScan(dialect)).pluck()
    this.#isRareTag = this.#areFew('chat_tag where user_id = @userId and tag_id = @tag')
    this.#isSmallFolder = this.#areFew(`chat where folder_id in (${toFolders(dialect)})`)
    this.#add = storage.prepare(
      'insert into index_backlog (chat_id, after_seq) select ?, coalesce(max(seq), 0) from message where true on conflict do nothing',
    )
    this.#any = storage.prepare(
      'select 1 from index_backlog union all select 1 from message_to_index limit 1',
    )
    this.#next = storage.prepare<[], { chat_id: string; after_seq: number; user_id: string }>(
      `select b.chat_id, b.after_seq, c.user_id from index_backlog b join chat c on c.id = b.chat_id where c.deleted_at is distinct from ${UNFINISHED} limit 1`,
    )
    this.#move = storage.prepare('update index_backlog set after_seq = ? where chat_id = ?')
    this.#leave = storage.prepare('delete from index_backlog where chat_id = ?')
    this.#after = this.#storage
      .prepare<[object], number>(
        // Rows inserted together are adjacent, so the walk by age finds them without reading the
        // whole chat.
        `select seq from message where seq > @seq and ${dialect.unindexed('chat_id')} = @chatId order by seq limit @limit`,
      )
      .pluck()
    this.#note = storage.prepare(
      'insert into message_to_index (seq) select cast(value as bigint) from json_each(?) where true on conflict do nothing',
    )
    this.#changed = this.#storage
      .prepare<[number], number>('select seq from message_to_index order by seq limit ?')
      .pluck()
    this.#changedText = storage.prepare<[number], TextToIndex>(
      'select m.seq, m.content, m.running, c.user_id from message m join chat c on c.id = m.chat_id where m.seq = ?',
    )
    this.#shortTexts = storage.prepare<[string, number], TextToIndex>(
      'select m.seq, m.content, m.running, c.user_id from message m join chat c on c.id = m.chat_id ' +
        'where m.seq in (select cast(value as bigint) from json_each(?)) and octet_length(m.content) <= ?',
    )
    this.#forget = storage.prepare('delete from message_to_index where seq = ?')
  }

  /** Returns chats whose title matches, newest first. */
  titleHits(matching: Matching & { match: string; limit: number }): Promise<ListRow[]> {
    return this.#all(
      `select ${COLUMNS} from chat_search s cross join chat c where c.seq = s.rowid ` +
        `and ${this.#storage.dialect.matches('s', 'chat_search', '@match')} and ${this.#conditions(matching)} order by s.rowid desc limit @limit`,
      { ...toValues(matching), match: matching.match, limit: matching.limit },
    )
  }

  /**
   * Returns the newest matches with a row id below `below`, as many as one step allows; only some
   * of them `fit` the conditions. An empty result means that none are left.
   */
  scanMessages(matching: MessageSearch & { below: number; limit: number }): Promise<ScannedRow[]> {
    return this.#storage
      .prepare<[object], ScannedRow>(
        `select s.seq, m.chat_id, m.id as message_id, (${this.#conditions(matching)}) as fits from (${toScan(this.#storage.dialect)}) s ` +
          'cross join message m cross join chat c where m.seq = s.seq and c.id = m.chat_id' +
          this.#storage.dialect.keepOrder('s.seq desc'),
      )
      .take(
        [
          {
            ...toValues(matching),
            match: matching.match,
            below: matching.below,
            limit: matching.limit,
          },
        ],
        takeStep,
      )
  }

  /** Returns only the row ids of the newest matches. */
  scanSeqs(match: string, below: number, limit: number): Promise<number[]> {
    return this.#scanSeqs.take([{ match, below, limit }], takeStep)
  }

  /** Returns the messages of chats, without their texts. */
  messagesOf(chatIds: readonly string[]): Promise<MessageHitRow[]> {
    return this.#all(MESSAGES_OF_CHATS, { chatIds: JSON.stringify(chatIds) })
  }

  /** Returns the newest matching message of each of these chats. */
  messageHitsIn(chatIds: readonly string[], match: string): Promise<MessageHitRow[]> {
    return this.#all(toHitsInChats(this.#storage.dialect), {
      chatIds: JSON.stringify(chatIds),
      match,
    })
  }

  /** Returns chats by their conditions alone. */
  async chats(matching: Matching & { limit: number; offset: number }): Promise<ListRow[]> {
    return this.#all(
      `select ${COLUMNS} from ${await this.#chatSource(matching)} where ${this.#conditions(matching)}${NEWEST_FIRST} limit @limit offset @offset`,
      {
        ...toValues(matching),
        limit: matching.limit,
        offset: matching.offset,
      },
    )
  }

  /** Marks messages with changed text to be indexed by the backlog. */
  async noteChangedTexts(seqs: readonly number[]): Promise<void> {
    await this.#note.run(JSON.stringify(seqs))
  }

  /** Returns messages whose text changed; they may have been deleted meanwhile. */
  changedTexts(limit: number): Promise<number[]> {
    return this.#changed.all(limit)
  }

  /** Returns one changed text at a time: many long ones together would fill the memory. */
  textToIndex(seq: number): Promise<TextToIndex | undefined> {
    return this.#changedText.get(seq)
  }

  /** Resolves with the short texts among these messages. */
  shortTexts(seqs: readonly number[]): Promise<TextToIndex[]> {
    return this.#shortTexts.all(JSON.stringify(seqs), SHORT_TEXT)
  }

  async forgetChangedText(seq: number): Promise<void> {
    await this.#forget.run(seq)
  }

  /** Marks a chat so that messages added from now on are indexed by the backlog. */
  async addToBacklog(chatId: string): Promise<void> {
    await this.#add.run(chatId)
  }

  async hasBacklog(): Promise<boolean> {
    return (await this.#any.get()) !== undefined
  }

  nextInBacklog() {
    return this.#next.get()
  }

  async moveBacklog(chatId: string, seq: number): Promise<void> {
    await this.#move.run(seq, chatId)
  }

  async leaveBacklog(chatId: string): Promise<void> {
    await this.#leave.run(chatId)
  }

  messagesAfter(chatId: string, seq: number, limit: number): Promise<number[]> {
    return this.#after.all({ chatId, seq, limit })
  }

  async indexMessage(seq: number, owner: string, words: string): Promise<void> {
    await this.#indexMessage.run(seq, owner, words)
  }

  async indexMessages(
    messages: readonly { seq: number; owner: string; words: string }[],
  ): Promise<void> {
    const { pace, dialect } = this.#storage
    for (const group of inGroups(messages, pace.rows)) {
      const rows = `values ${group.map(() => '(?, ?, ?)').join(', ')}`
      await this.#storage
        .prepare(dialect.putWords({ ...MESSAGE_WORDS, rows }))
        .run(...group.flatMap(({ seq, owner, words }) => [seq, owner, words]))
    }
  }

  async forgetMessage(seq: number): Promise<void> {
    await this.#forgetMessage.run(seq)
  }

  async indexTitle(seq: number, owner: string, words: string): Promise<void> {
    await this.#indexTitle.run(seq, owner, words)
  }

  listRow(chatId: string): Promise<ListRow | undefined> {
    return this.#listRow.get(chatId)
  }

  async text(seq: number): Promise<string> {
    return (await this.#text.get(seq))?.content ?? ''
  }

  #conditions(filters: SearchFilters): string {
    return toConditions(filters, this.#storage.dialect)
  }

  #all<Row>(query: string, values: object): Promise<Row[]> {
    return this.#storage.prepare<[object], Row>(query).all(values)
  }

  #areFew(rows: string) {
    return this.#storage
      .prepare<[object], number>(
        `select count(*) < ${FEW_CHATS} from (select 1 from ${rows} limit ${FEW_CHATS}) counted`,
      )
      .pluck()
  }

  async #chatSource(matching: Matching): Promise<string> {
    const { userId, folder, tag } = matching
    if (folder !== null && (await this.#isSmallFolder.get({ userId, folder })) === 1)
      return `chat c${this.#storage.dialect.through('chat_in_folder')}`
    if (matching.files !== null || matching.model !== null || matching.title !== null) {
      const own = 'select * from chat where user_id = @userId and deleted_at is null'
      const most = matching.files === null ? MOST_WITHOUT_INDEX : MOST_READ
      return `(${own} order by updated_at desc limit ${most}) c`
    }
    const isByTag =
      tag !== null && tag !== 'none' && (await this.#isRareTag.get({ userId, tag })) === 1
    return isByTag
      ? '(select c.* from chat_tag x cross join chat c where x.user_id = @userId and x.tag_id = @tag and c.id = x.chat_id) c'
      : 'chat c'
  }
}
