// Fills the database with every kind of object of one user and of the gateway, in unusually large
// numbers.
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import type { MeasuredGateway } from './measured-gateway.ts'

const CHATS = 20_000
const MANY = 10_000
/** Maximum number of webhooks. */
const MOST_WEBHOOKS = 50
const TITLE = 'A title of an ordinary length about something'

/** Returns a statement that inserts one row for each number from 1 on; `n` is the number. */
const each = (count: number, insert: string): string =>
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count}) ${insert} from numbers`

/** Returns statements for chats of a kind: `kind` is the prefix of their ids. */
const chats = (
  kind: string,
  set: { pinned?: 1; archived?: 1; shared?: 1; trash?: 1; folder?: 1 },
): string =>
  each(
    CHATS,
    'insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, pinned, archived, share_id, folder_id, created_at, updated_at, deleted_at) ' +
      `select '${kind}-' || n, $user, '${TITLE} ' || n, '["model"]', '{}', '[]', '["work","home"]', 1700000000000, '{}', '{}', '{}', ${set.pinned ?? 0}, ${set.archived ?? 0}, ` +
      `${set.shared ? `'share-' || n` : 'null'}, ${set.folder ? `'folder-' || n` : 'null'}, 1700000000, 1700000000 + n, ${set.trash ? 'unixepoch()' : 'null'}`,
  )

const FILLING = [
  each(
    MANY,
    `insert into folder (id, user_id, name, meta, data, created_at, updated_at) select 'folder-' || n, $user, 'Folder ' || n, '{}', '{}', 1, 1`,
  ),
  each(
    MANY,
    `insert into folder (id, user_id, name, created_at, updated_at, deleted_at) select 'gone-' || n, $user, 'Folder ' || n, 1, 1, unixepoch()`,
  ),
  chats('plain', {}),
  chats('pinned', { pinned: 1 }),
  chats('archived', { archived: 1 }),
  chats('shared', { shared: 1 }),
  chats('trash', { trash: 1 }),
  "insert into chat_tag (chat_id, tag_id, user_id, name) select id, 'tag_' || (seq % 10000), user_id, 'Tag ' || (seq % 10000) from chat",
  "insert into chat_tag (chat_id, tag_id, user_id, name) select id, 'work', user_id, 'work' from chat",
  each(
    MANY,
    `insert into note (id, user_id, title, data, meta, created_at, updated_at) select 'note-' || n, $user, '${TITLE}', '{"content":{"md":"words"}}', '{}', n, n`,
  ),
  'insert into pinned_note (user_id, note_id) select user_id, id from note',
  each(
    MANY,
    `insert into memory (id, user_id, content, created_at, updated_at) select 'memory-' || n, $user, 'Somebody likes the number ' || n, n, n`,
  ),
  each(
    MANY,
    `insert into blob (id, user_id, hash, size, created_at) select 'blob-' || n, $user, 'hash-' || n, 10, 1`,
  ),
  each(
    MANY,
    `insert into file (id, user_id, blob_id, filename, name_key, content_type, kind, metadata, status, created_at, updated_at) select 'file-' || n, $user, 'blob-' || n, 'file ' || n || '.txt', 'file ' || n || '.txt', 'text/plain', 'text', '{}', 'completed', 1700000000, 1700000000`,
  ),
  each(
    MANY,
    `insert into knowledge (id, user_id, name, description, search_key, meta, created_at, updated_at) select 'knowledge-' || n, $user, 'Knowledge ' || n, 'Some', 'knowledge ' || n, '{}', n, n`,
  ),
  "insert into knowledge_file (knowledge_id, file_id, user_id, created_at) select 'knowledge-1', id, user_id, 1 from file",
  "insert into knowledge_file (knowledge_id, file_id, user_id, created_at) select knowledge.id, 'file-1', user_id, 1 from knowledge where id <> 'knowledge-1'",
  each(
    MANY,
    `insert into knowledge_directory (id, knowledge_id, name, created_at, updated_at, user_id) select 'directory-' || n, 'knowledge-1', 'Directory ' || n, 1, 1, $user`,
  ),
  each(
    MANY,
    `insert into prompt (id, user_id, command, name, content, tags, data, meta, version_id, created_at, updated_at) select 'prompt-' || n, $user, 'prompt-' || n, 'Prompt ' || n, 'Say something', '["tag ' || n || '"]', '{}', '{}', 'version-' || n, n, n`,
  ),
  each(
    MANY,
    `insert into prompt_version (id, prompt_id, snapshot, user_id, created_at) select 'version-' || n, 'prompt-1', '{"name":"a","content":"b","command":"prompt-1","data":{},"meta":{},"tags":[]}', $user, n`,
  ),
  each(
    MANY,
    `insert into user (id, email, name, role, is_first, created_at, updated_at) select 'user-' || n, 'user-' || n || '@example.com', 'User ' || n, 'user', 0, n, n`,
  ),
  each(
    MANY,
    `insert into user_group (id, name, description, permissions, data, meta, created_at, updated_at) select 'group-' || n, 'Group ' || n, '', '{}', '{}', '{}', n, n`,
  ),
  "insert into user_group_member (group_id, user_id) select 'group-1', id from user",
  "insert into user_group_member (group_id, user_id) select id, $user from user_group where id <> 'group-1'",
  each(
    MANY,
    `insert into model (id, user_id, base_model_id, name, params, meta, is_active, created_at, updated_at) select 'model-' || n, $user, 'short', 'Model ' || n, '{}', '{"tags":[{"name":"tag ' || n || '"}]}', 1, n, n`,
  ),
  each(
    MANY,
    `insert into feedback (id, user_id, type, model_id, rating, data, meta, created_at, updated_at) select 'feedback-' || n, $user, 'rating', 'model-' || (n % 500), 1, '{"rating":1,"model_id":"model-1"}', '{}', n, n`,
  ),
  each(
    MANY,
    `insert into channel (id, user_id, type, name, is_private, created_at, updated_at) select 'channel-' || n, $user, 'group', 'channel-' || n, 0, n, n`,
  ),
  each(
    MANY,
    `insert into channel_member (id, channel_id, user_id, role, is_active, joined_at, created_at, updated_at) select 'own-' || n, 'channel-' || n, $user, 'manager', 1, 1, 1, 1`,
  ),
  "insert into channel_member (id, channel_id, user_id, is_active, joined_at, created_at, updated_at) select 'member-' || id, 'channel-1', id, 1, 1, 1, 1 from user where id <> $user",
  each(
    MANY,
    `insert into channel_message (id, channel_id, user_id, content, created_at, updated_at) select 'message-' || n, 'channel-1', $user, 'Some words', n, n`,
  ),
  'update channel_message set pinned_at = 1, pinned_by = $user',
  "insert into channel_reaction (message_seq, name, user_id, created_at) select (select seq from channel_message where id = 'message-1'), 'thumbsup', id, 1 from user",
  each(
    MANY,
    `insert into channel_message (id, channel_id, user_id, parent_id, content, created_at, updated_at) select 'reply-' || n, 'channel-1', $user, 'message-1', 'Some words', n, n`,
  ),
  each(
    MANY,
    `insert into channel_webhook_identity (webhook_id, channel_id, name, created_at) select 'hook-' || n, 'channel-1', 'Hook ' || n, n`,
  ),
  "insert into channel_webhook (id, channel_id, user_id, token_hash, identity, created_at, updated_at) select webhook_id, channel_id, $user, 'hash', seq, 1, 1 from channel_webhook_identity",
  each(
    MOST_WEBHOOKS,
    `insert into event_webhook (id, name, url, enabled, events, created_at, updated_at) select 'hook-' || n, 'Hook ' || n, 'https://example.com/' || n, 0, '["chat.created"]', n, n`,
  ),
  each(
    MANY,
    `insert into plugin (store, id, user_id, name, kind, content, meta, description, is_active, is_global, created_at, updated_at) select 'tool', 'tool_' || n, $user, 'Tool ' || n, 'tool', 'class Tools:\n    pass\n', '{"manifest":{}}', '{"specs":[]}', 1, 0, n, n`,
  ),
  "insert into plugin (store, id, user_id, name, kind, content, meta, description, is_active, is_global, created_at, updated_at) select 'function', 'function_' || substr(id, 6), user_id, name, 'filter', content, meta, description, 0, 0, created_at, updated_at from plugin where store = 'tool'",
  each(
    MANY,
    `insert into picture (file_id, user_id, kind, engine, model, prompt, negative_prompt, size, width, height, source_ids, created_at) select 'file-' || n, $user, 'generated', 'engine', 'model', 'A picture', '', '64x64', 64, 64, '[]', n`,
  ),
  // Everything of a kind is shared with a group that contains all accounts.
  ...['note', 'prompt', 'model', 'knowledge'].map(
    (kind) =>
      `insert into access_grant (resource_type, resource_id, principal_type, principal_id, permission) select '${kind}', id, 'group', 'group-1', 'read' from ${kind}`,
  ),
  each(
    MANY,
    `insert into api_key (id, user_id, name, secret_hash, hint, created_at) select 'key-' || n, $user, 'Key ' || n, cast('hash ' || n as blob), 'sk', 1`,
  ),
  each(
    MANY,
    `insert into user_session (jti, user_id, token_version, created_at, last_used_at, user_agent, address) select 'session-' || n, $user, 1, 1, 1, 'agent', '127.0.0.1'`,
  ),
]

export function fillLists({ dataDir }: MeasuredGateway): void {
  const sqlite = new Sqlite(path.join(dataDir, 'chat-gateway.db'))
  sqlite.pragma('busy_timeout = 20000')
  // Without the role it would be the account with the lower id, which is the member half of the
  // time.
  const user = sqlite.prepare<[], string>("select id from user where role = 'admin'").pluck().get()!
  sqlite.transaction(() => {
    for (const text of FILLING) sqlite.prepare(text).run(text.includes('$user') ? { user } : {})
  })()
  sqlite.close()
}

const SCIM = '/api/v1/scim/v2'
const filtered = (kind: 'Users' | 'Groups', filter: string): string =>
  `${SCIM}/${kind}?filter=${encodeURIComponent(filter)}`

/** The caller: the administrator, a member with access to everything, or the directory. */
export type Asker = 'administrator' | 'member' | 'directory'

/** Calls that list these objects. */
export const LARGE_LISTS: readonly (readonly [
  name: string,
  method: string,
  path: string,
  body?: unknown,
  asker?: Asker,
])[] = [
  ['chats', 'GET', '/api/v1/chats/?include_pinned=true&include_folders=true'],
  ['a page of chats', 'GET', '/api/v1/chats/?page=1'],
  ['pinned chats', 'GET', '/api/v1/chats/pinned'],
  ['archived chats', 'GET', '/api/v1/chats/archived'],
  ['shared chats', 'GET', '/api/v1/chats/shared'],
  ['the trash', 'GET', '/api/v1/chats/trash'],
  ['a search of the trash', 'GET', '/api/v1/chats/trash?query=nothing%20here'],
  ['whole chats', 'GET', '/api/v1/chats/all'],
  ['whole archived chats', 'GET', '/api/v1/chats/all/archived'],
  ['whole chats of everybody', 'GET', '/api/v1/chats/all/db'],
  ['chats of a person', 'GET', '/api/v1/chats/list/user/USER'],
  ['chats of a person by a word', 'GET', '/api/v1/chats/list/user/USER?query=nothing%20here'],
  ['tags', 'GET', '/api/v1/chats/all/tags'],
  ['chats with a tag', 'POST', '/api/v1/chats/tags', { name: 'work', limit: 1000 }],
  ['a search of chats', 'GET', '/api/v1/chats/search?text=title'],
  ['a search of chats with a tag', 'GET', '/api/v1/chats/search?text=tag%3Awork%20title'],
  ['usage of chats', 'GET', '/api/v1/chats/stats/usage?items_per_page=100'],
  ['statistics of chats', 'GET', '/api/v1/chats/stats/export?items_per_page=100'],
  ['folders', 'GET', '/api/v1/folders/'],
  ['folders in the trash', 'GET', '/api/v1/folders/trash'],
  ['chats of a folder', 'GET', '/api/v1/chats/folder/folder-1/list'],
  ['notes', 'GET', '/api/v1/notes/'],
  ['pinned notes', 'GET', '/api/v1/notes/pinned'],
  ['a search of notes', 'GET', '/api/v1/notes/search?query=title'],
  ['memories', 'GET', '/api/v1/memories/'],
  ['a search of memories', 'POST', '/api/v1/memories/query', { content: 'number' }],
  ['files', 'GET', '/api/v1/files/'],
  ['files with their text', 'GET', '/api/v1/files/?content=true'],
  ['a search of files', 'GET', '/api/v1/files/search?filename=*9*'],
  ['unused files', 'GET', '/api/v1/files/unused'],
  ['collections', 'GET', '/api/v1/knowledge/'],
  ['a search of collections', 'GET', '/api/v1/knowledge/search?query=knowledge'],
  ['a search of files of collections', 'GET', '/api/v1/knowledge/search/files?query=file'],
  ['a collection of 10,000 files', 'GET', '/api/v1/knowledge/knowledge-1'],
  ['files of a collection', 'GET', '/api/v1/knowledge/knowledge-1/files'],
  ['prompts', 'GET', '/api/v1/prompts/'],
  ['a page of prompts', 'GET', '/api/v1/prompts/list'],
  ['tags of prompts', 'GET', '/api/v1/prompts/tags'],
  ['history of a prompt', 'GET', '/api/v1/prompts/id/prompt-1/history'],
  ['a page of accounts', 'GET', '/api/v1/users/'],
  ['a search of accounts', 'GET', '/api/v1/users/?query=user'],
  ['accounts', 'GET', '/api/v1/users/all'],
  ['a search of people', 'GET', '/api/v1/users/search?query=user'],
  ['own groups', 'GET', '/api/v1/users/groups'],
  ['groups', 'GET', '/api/v1/groups/'],
  ['a group of 10,000 members', 'GET', '/api/v1/groups/id/group-1'],
  ['members of a group', 'POST', '/api/v1/groups/id/group-1/users'],
  ['export of a group', 'GET', '/api/v1/groups/id/group-1/export'],
  ['models', 'GET', '/api/models'],
  ['models with hidden ones', 'GET', '/api/v1/models'],
  ['a page of models', 'GET', '/api/v1/models/list'],
  ['tags of models', 'GET', '/api/v1/models/tags'],
  ['export of models', 'GET', '/api/v1/models/export'],
  ['base models', 'GET', '/api/v1/models/base'],
  ['ratings', 'GET', '/api/v1/evaluations/feedbacks/all'],
  ['export of ratings', 'GET', '/api/v1/evaluations/feedbacks/all/export'],
  ['own ratings', 'GET', '/api/v1/evaluations/feedbacks/user'],
  ['a page of ratings', 'GET', '/api/v1/evaluations/feedbacks/list'],
  ['ids of ratings', 'GET', '/api/v1/evaluations/feedbacks/all/ids'],
  ['the leaderboard', 'GET', '/api/v1/evaluations/leaderboard'],
  ['channels', 'GET', '/api/v1/channels/'],
  ['all channels', 'GET', '/api/v1/channels/list'],
  ['a channel of 10,000 members', 'GET', '/api/v1/channels/channel-1'],
  ['members of a channel', 'GET', '/api/v1/channels/channel-1/members'],
  ['messages of a channel', 'GET', '/api/v1/channels/channel-1/messages'],
  ['pinned messages of a channel', 'GET', '/api/v1/channels/channel-1/messages/pinned'],
  ['reactions of a message', 'GET', '/api/v1/channels/channel-1/messages/message-1'],
  ['keys', 'GET', '/api/v1/auths/api_keys'],
  ['sessions', 'GET', '/api/v1/auths/sessions'],
  ['groups after a change', 'GET', '/api/v1/groups/'],
  ['permissions after a change', 'GET', '/api/v1/users/permissions', undefined, 'member'],
  ['models after a change', 'GET', '/api/models'],
  ['groups of a person', 'GET', '/api/v1/users/USER/groups'],
  ['a preview of a group', 'GET', '/api/v1/groups/id/group-1/preview'],
  ['a late page of accounts', 'GET', '/api/v1/users/?page=300'],
  ['accounts by name', 'GET', '/api/v1/users/?query=user%209&order_by=name&direction=desc'],
  ['a search of people for nobody', 'GET', '/api/v1/users/search?query=nobody'],
  ['accounts of a directory', 'GET', `${SCIM}/Users?count=1000`, undefined, 'directory'],
  ['late accounts of a directory', 'GET', `${SCIM}/Users?startIndex=9000`, undefined, 'directory'],
  [
    'accounts of a directory by a name',
    'GET',
    filtered('Users', 'userName eq "user-9999@example.com"'),
    undefined,
    'directory',
  ],
  [
    'accounts of a directory by a part of a name',
    'GET',
    filtered('Users', 'userName co "9"'),
    undefined,
    'directory',
  ],
  [
    'accounts of a directory by two fields',
    'GET',
    filtered('Users', 'displayName sw "User" and not (emails.value ew "1@example.com")'),
    undefined,
    'directory',
  ],
  ['groups of a directory', 'GET', `${SCIM}/Groups`, undefined, 'directory'],
  [
    'groups of a directory without members',
    'GET',
    `${SCIM}/Groups?excludedAttributes=members`,
    undefined,
    'directory',
  ],
  [
    'groups of a directory by a name',
    'GET',
    filtered('Groups', 'displayName eq "Group 9999"'),
    undefined,
    'directory',
  ],
  [
    'groups of a directory by a part of a name',
    'GET',
    filtered('Groups', 'displayName co "9"'),
    undefined,
    'directory',
  ],
  [
    'groups of a directory by a member',
    'GET',
    filtered('Groups', 'members.value eq "user-9"'),
    undefined,
    'directory',
  ],
  ['a group of a directory', 'GET', `${SCIM}/Groups/group-1`, undefined, 'directory'],
  ['models for a member', 'GET', '/api/models', undefined, 'member'],
  ['models of the other path', 'GET', '/api/v1/models', undefined, 'member'],
  ['models asked for anew', 'GET', '/api/models?refresh=true'],
  ['a page of models for a member', 'GET', '/api/v1/models/list', undefined, 'member'],
  ['notes for a member', 'GET', '/api/v1/notes/', undefined, 'member'],
  [
    'a search of notes for a member',
    'GET',
    '/api/v1/notes/search?query=title',
    undefined,
    'member',
  ],
  ['prompts for a member', 'GET', '/api/v1/prompts/', undefined, 'member'],
  ['a page of prompts by a word', 'GET', '/api/v1/prompts/list?query=prompt', undefined, 'member'],
  ['tags of prompts for a member', 'GET', '/api/v1/prompts/tags', undefined, 'member'],
  ['collections for a member', 'GET', '/api/v1/knowledge/', undefined, 'member'],
  [
    'a search of collections for a member',
    'GET',
    '/api/v1/knowledge/search?query=9',
    undefined,
    'member',
  ],
  ['all collections for a member', 'GET', '/api/v1/knowledge/list', undefined, 'member'],
  ['files waiting in a collection', 'GET', '/api/v1/knowledge/knowledge-1/files/pending'],
  ['uses of a file', 'GET', '/api/v1/files/file-1/uses'],
  ['room of files', 'GET', '/api/v1/files/usage'],
  ['channels for a member', 'GET', '/api/v1/channels/', undefined, 'member'],
  ['old messages of a channel', 'GET', '/api/v1/channels/channel-1/messages?skip=9000&limit=50'],
  ['a thread of a channel', 'GET', '/api/v1/channels/channel-1/messages/message-1/thread'],
  ['a search of channels', 'GET', '/api/v1/channels/search?text=words'],
  ['members of a channel by name', 'GET', '/api/v1/channels/channel-1/members?query=9'],
  ['webhooks of a channel', 'GET', '/api/v1/channels/channel-1/webhooks'],
  ['webhooks of events', 'GET', '/api/events/webhooks'],
  ['tools', 'GET', '/api/v1/tools/'],
  ['tools one may use', 'GET', '/api/v1/tools/list', undefined, 'member'],
  ['export of tools', 'GET', '/api/v1/tools/export'],
  ['functions', 'GET', '/api/v1/functions/'],
  ['functions with their fields', 'GET', '/api/v1/functions/list'],
  ['export of functions', 'GET', '/api/v1/functions/export'],
  ['state of plugins', 'GET', '/api/v1/plugins/state'],
  ['pictures', 'GET', '/api/v1/images/gallery'],
  ['models with ratings', 'GET', '/api/v1/evaluations/feedbacks/models'],
  ['the leaderboard of a subject', 'GET', '/api/v1/evaluations/leaderboard?query=words'],
  [
    'history of a model of the leaderboard',
    'GET',
    '/api/v1/evaluations/leaderboard/model-1/history',
  ],
  ['ratings by model', 'GET', '/api/v1/evaluations/feedbacks/list?order_by=model_id&direction=asc'],
  [
    'chats of a person by title',
    'GET',
    '/api/v1/chats/list/user/USER?order_by=title&direction=asc&page=9',
  ],
  ['archived chats by a word', 'GET', '/api/v1/chats/archived?query=9'],
  ['a late page of chats', 'GET', '/api/v1/chats/?page=300'],
  ['chats of a folder with the ones below', 'GET', '/api/v1/chats/folder/folder-1'],
  ['export of chats', 'GET', '/api/v1/chats/export'],
  ['deletions', 'GET', '/api/v1/deletions'],
  ['export of settings', 'GET', '/api/v1/configs/export'],
  ['settings', 'GET', '/api/v1/settings'],
  ['the start of the interface', 'GET', '/api/config'],
]
