import type { DeletionKind } from '../tables/deletions.ts'

/**
 * Number of rows per statement. Each takes some microseconds, so that a slice ends soon after its
 * time limit. It is part of the SQL text: SQLite recompiles a statement whenever a limit is bound.
 */
const ROWS = 50

/**
 * Rows that may each be long: selected with their lengths, then removed in one statement, because a
 * word index is written at the start of each.
 */
export interface LongRows {
  /** Returns `key` and `bytes` of some rows; lengths are stored in a row's header. */
  readonly pick: string
  /** Removes the rows of `@keys`, a list in JSON. */
  readonly remove: string
}

/** Statements that remove some rows with each call, until one removes none. */
export type Rows = string | LongRows

interface RowStep {
  readonly rows: Rows
}

/**
 * Processes items one by one: the rows of each (`@id`) are removed in pieces before the item
 * itself.
 */
interface ThingStep {
  readonly next: string
  readonly parts: readonly Rows[]
  readonly own: string
}

export type Step = RowStep | ThingStep

/**
 * Steps that remove the rows of a deletion, in an order in which no cascade has much left to do.
 */
export interface Plan {
  /** Data visible to users other than the owner, and names that must become free. */
  readonly hide: readonly Step[]
  readonly erase: readonly Step[]
  /** Statement that counts the rows `erase` still has to remove. */
  readonly count: string
  /** Statements of the transaction that found nothing left. */
  readonly finish: readonly string[]
}

const OWN = 'user_id = @subject'

const rowsOf = (table: string, condition = OWN, key = 'rowid'): RowStep => ({
  rows: `delete from ${table} where ${key} in (select ${key} from ${table} where ${condition} limit ${ROWS})`,
})
const longRows = (
  table: string,
  condition: string,
  { key, columns }: { key: string; columns: readonly string[] },
): LongRows => {
  const picked = key === 'file_id' ? 'value' : 'cast(value as bigint)'
  const bytes = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
  return {
    pick: `select ${key} as key, ${bytes} as bytes from ${table} where ${condition} limit ${ROWS}`,
    remove: `delete from ${table} where ${key} in (select ${picked} from json_each(@keys))`,
  }
}
const longRowsOf = (table: string, columns: readonly string[], condition = OWN): RowStep => ({
  rows: longRows(table, condition, { key: 'rowid', columns }),
})
/** Same as `longRowsOf`, for rows that have their own number. */
const longNumberedRowsOf = (table: string, columns: readonly string[]): RowStep => ({
  rows: longRows(table, OWN, { key: 'seq', columns }),
})
const few = (table: string, condition = OWN): RowStep => ({
  rows: `delete from ${table} where ${condition}`,
})

const partsOf = (table: string, reference: string): string =>
  `delete from ${table} where rowid in (select rowid from ${table} where ${reference} = @id limit ${ROWS})`

const thingsOf = (table: string, condition: string, parts: readonly Rows[]): ThingStep => ({
  next: `select id from ${table} where ${condition} limit 1`,
  parts,
  own: `delete from ${table} where id = @id`,
})

const LONG_OF_A_MODEL = ['params', 'meta']
const LONG_OF_A_PLUGIN = ['content', 'meta', 'description', 'valves']
const LONG_OF_A_MESSAGE = ['content', 'parts', 'reasoning_content', 'extra']
const MESSAGES_OF_CHAT = longRows('message', 'chat_id = @id', {
  key: 'seq',
  columns: LONG_OF_A_MESSAGE,
})
const PIECES_OF_SHARE = longRows('shared_piece', 'chat_id = @id', { key: 'seq', columns: ['text'] })
const chats = (condition: string): ThingStep =>
  thingsOf('chat', condition, [MESSAGES_OF_CHAT, PIECES_OF_SHARE])
const files = (condition: string): ThingStep =>
  thingsOf('file', condition, [partsOf('file_text', 'file_id')])
/** Selects folders without subfolders first, or one cascade would delete a whole tree. */
const leafOf = (table: string, condition: string): string =>
  `select each.id from ${table} each where each.${condition} and not exists (select 1 from ${table} below where below.parent_id = each.id)`
const leaves = (table: string, condition: string): string =>
  `delete from ${table} where id in (${leafOf(table, condition)} limit ${ROWS})`
const linksOfFiles = (condition: string): RowStep => ({
  rows:
    'delete from knowledge_file where (knowledge_id, file_id) in (' +
    `select k.knowledge_id, k.file_id from file f cross join knowledge_file k where k.file_id = f.id and f.${condition} limit ${ROWS})`,
})
/** Deleting a folder cascades to a row for every chat that was in it. */
const foldersWithLeavers = (condition: string): ThingStep => ({
  next: `${leafOf('folder', condition)} limit 1`,
  parts: [
    `delete from folder_leaver where chat_id in (select chat_id from folder_leaver where folder_id = @id limit ${ROWS})`,
  ],
  own: 'delete from folder where id = @id',
})
const LINKS_OF_KNOWLEDGE = `delete from knowledge_file where knowledge_id = @id and file_id in (select file_id from knowledge_file where knowledge_id = @id limit ${ROWS})`
const INVITED_TO_CALENDAR = `delete from calendar_attendee where id in (select a.id from calendar_event e cross join calendar_attendee a where a.event_id = e.id and e.calendar_id = @id limit ${ROWS})`
const PINS_OF_NOTES: RowStep = {
  rows: `delete from pinned_note where ${OWN} and note_id in (select note_id from pinned_note where ${OWN} limit ${ROWS})`,
}
const GRANTS_ON_CHATS =
  "delete from access_grant where resource_type = 'chat' and resource_id in (select g.resource_id from access_grant g " +
  `cross join chat c where c.id = g.resource_id and g.resource_type = 'chat' and c.user_id = @subject limit ${ROWS})`

const countChats = (condition: string): string =>
  `(select count(*) from chat where ${condition}) + ` +
  `(select count(*) from chat c cross join message m where m.chat_id = c.id and c.${condition})`
const countFiles = (condition: string): string =>
  `(select count(*) from file where ${condition}) + ` +
  `(select count(*) from file f cross join file_text t where t.file_id = f.id and f.${condition})`

/** Messages are removed one by one, because each may have many reactions. */
const messagesOfChannels = (condition: string): ThingStep => ({
  next: `select seq from channel_message where ${condition} limit 1`,
  parts: [
    `delete from channel_reaction where seq in (select seq from channel_reaction where message_seq = @id limit ${ROWS})`,
  ],
  own: 'delete from channel_message where seq = @id',
})
/** Includes their pictures. */
const hooks = (condition: string): ThingStep =>
  thingsOf('channel_webhook', condition, [
    longRows('channel_webhook_identity', 'webhook_id = @id', { key: 'seq', columns: ['picture'] }),
  ])
const marksOf = (condition: string, key: 'user_id' | 'channel_id'): RowStep => ({
  rows: `delete from channel_mark where ${condition} and ${key} in (select ${key} from channel_mark where ${condition} limit ${ROWS})`,
})
const MENTIONS: RowStep = {
  rows:
    `delete from channel_mention where ${OWN} and (channel_id, created_at) in ` +
    `(select channel_id, created_at from channel_mention where ${OWN} limit ${ROWS})`,
}
const PREVIEWS: RowStep = {
  rows: longRows('picture_preview', `file_id in (select file_id from picture where ${OWN})`, {
    key: 'file_id',
    columns: ['bytes'],
  }),
}
const IN_CHANNEL = 'channel_id = @subject'

const IN_FILES = 'seq <= cast(@subject as bigint)'
const ONE_FILE = 'id = @subject'
const GIVEN_UP = 'user_id = @subject and deleted_at = 0'

/**
 * @NOTE The only statements outside of the domains' stores that access their tables: like the
 *   schema, the order of removal spans all of them. A test compares it with the references of the
 *   schema.
 */
export const plans: Readonly<Record<DeletionKind, Plan>> = {
  account: {
    hide: [
      ...[
        'user_password',
        'user_group_member',
        'user_settings',
        'user_profile',
        'tool_server_token',
        'pending_flow',
        'plugin_user_valves',
        'known_place',
        'webhook_secret',
        'scim_user',
        'oauth_identity',
        'unproved_email',
      ].map((table) => few(table)),
      rowsOf('webhook_delivery'),
      rowsOf('api_key'),
      rowsOf('user_session', OWN, 'jti'),
      rowsOf('revoked_token', OWN, 'jti'),
      rowsOf('oauth_session', OWN, 'id'),
      longRowsOf('shared_chat', ['snapshot']),
      { rows: GRANTS_ON_CHATS },
      longRowsOf('model', LONG_OF_A_MODEL, `${OWN} and base_model_id is not null`),
      longRowsOf('plugin', LONG_OF_A_PLUGIN, `${OWN} and store = 'tool'`),
      thingsOf('prompt', OWN, [
        longRows('prompt_version', 'prompt_id = @id', { key: 'seq', columns: ['snapshot'] }),
      ]),
      thingsOf('skill', OWN, [
        longRows('skill_file', 'skill_id = @id', { key: 'seq', columns: ['content'] }),
      ]),
      thingsOf('automation', OWN, [partsOf('automation_run', 'automation_id')]),
      rowsOf('calendar_attendee'),
      thingsOf('calendar', OWN, [
        INVITED_TO_CALENDAR,
        longRows('calendar_event', 'calendar_id = @id', {
          key: 'rowid',
          columns: ['description', 'data', 'meta'],
        }),
      ]),
      PINS_OF_NOTES,
      longNumberedRowsOf('note', ['data', 'meta']),
      thingsOf('knowledge', OWN, [
        LINKS_OF_KNOWLEDGE,
        leaves('knowledge_directory', 'knowledge_id = @id'),
      ]),
      linksOfFiles(OWN),
      longNumberedRowsOf('feedback', ['data', 'meta', 'snapshot']),
      rowsOf('channel_member'),
      hooks(OWN),
      // Those of webhooks belong to the channel.
      messagesOfChannels(`${OWN} and webhook_id is null`),
      rowsOf('channel_reaction', OWN, 'seq'),
    ],
    erase: [
      chats(OWN),
      { rows: leaves('folder', OWN) },
      rowsOf('memory', OWN, 'seq'),
      PREVIEWS,
      longNumberedRowsOf('picture', ['prompt', 'negative_prompt']),
      files(OWN),
      rowsOf('blob'),
      marksOf(OWN, 'channel_id'),
      MENTIONS,
      {
        rows: `delete from tool_answer where ${OWN} and (chat_id, tool) in (select chat_id, tool from tool_answer where ${OWN} limit ${ROWS})`,
      },
    ],
    count: `select ${countChats(OWN)} + ${countFiles(OWN)}`,
    finish: ['delete from "user" where id = @subject'],
  },
  files: {
    hide: [linksOfFiles(IN_FILES)],
    erase: [files(IN_FILES)],
    count: `select ${countFiles(IN_FILES)}`,
    finish: [],
  },
  file: {
    hide: [
      linksOfFiles(ONE_FILE),
      // Its passages are removed without waiting for its text.
      {
        rows: "insert into file_leftover select 'document', id from file where id = @subject on conflict do nothing",
      },
    ],
    erase: [files(ONE_FILE)],
    count: `select ${countFiles(ONE_FILE)}`,
    finish: [],
  },
  chats: {
    hide: [],
    erase: [chats(GIVEN_UP), foldersWithLeavers(GIVEN_UP)],
    count: `select ${countChats(GIVEN_UP)}`,
    finish: [],
  },
  channel: {
    hide: [hooks(IN_CHANNEL)],
    erase: [
      messagesOfChannels(IN_CHANNEL),
      rowsOf('channel_member', IN_CHANNEL),
      marksOf(IN_CHANNEL, 'user_id'),
    ],
    count: `select count(*) from channel_message where ${IN_CHANNEL}`,
    finish: ['delete from channel where id = @subject'],
  },
}
