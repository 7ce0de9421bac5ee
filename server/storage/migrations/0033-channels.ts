import type { Migration } from './migration.ts'

/**
 * Times of channels are unix microseconds. `people` identifies the members of a direct
 * conversation.
 */
const CHANNEL = `create table channel (
  id text primary key,
  user_id text not null,
  type text check (type in ('group', 'dm')),
  name text not null,
  description text,
  is_private integer not null check (is_private in (0, 1)),
  data text,
  meta text,
  people text unique,
  created_at integer not null,
  updated_at integer not null,
  updated_by text,
  deleted_at integer
) strict`

const MEMBER = `create table channel_member (
  id text primary key,
  channel_id text not null references channel (id) on delete cascade,
  user_id text not null references user (id) on delete cascade,
  role text check (role in ('manager')),
  is_active integer not null check (is_active in (0, 1)),
  invited_at integer,
  invited_by text,
  joined_at integer not null,
  left_at integer,
  created_at integer not null,
  updated_at integer not null,
  unique (channel_id, user_id)
) strict`

/** Position up to which a user has read a channel. */
const MARK = `create table channel_mark (
  user_id text not null references user (id) on delete cascade,
  channel_id text not null references channel (id) on delete cascade,
  last_read_at integer not null,
  primary key (user_id, channel_id)
) strict, without rowid`

/** @NOTE `created_at` orders the messages of a channel, so no two of them have the same. */
const MESSAGE = `create table channel_message (
  seq integer primary key,
  id text not null unique,
  channel_id text not null references channel (id) on delete cascade,
  user_id text not null,
  webhook_id text,
  identity integer,
  model_id text,
  model_name text,
  done integer not null default 1 check (done in (0, 1)),
  error text,
  parent_id text,
  reply_to_id text,
  content text not null,
  data text,
  meta text,
  pinned_at integer,
  pinned_by text,
  reply_count integer not null default 0,
  latest_reply_at integer,
  created_at integer not null,
  updated_at integer not null,
  edited_at integer
) strict`

const REACTION = `create table channel_reaction (
  seq integer primary key,
  message_seq integer not null references channel_message (seq) on delete cascade,
  name text not null,
  user_id text not null references user (id) on delete cascade,
  created_at integer not null,
  unique (message_seq, name, user_id)
) strict`

const MENTION = `create table channel_mention (
  user_id text not null references user (id) on delete cascade,
  channel_id text not null,
  created_at integer not null,
  message_seq integer not null references channel_message (seq) on delete cascade,
  primary key (user_id, channel_id, created_at)
) strict, without rowid`

const FILE = `create table channel_file (
  file_id text not null,
  message_seq integer not null references channel_message (seq) on delete cascade,
  channel_id text not null,
  name text not null,
  content_type text not null,
  size integer not null,
  primary key (file_id, message_seq)
) strict, without rowid`

const WEBHOOK = `create table channel_webhook (
  id text primary key,
  channel_id text not null references channel (id) on delete cascade,
  user_id text not null references user (id) on delete cascade,
  token_hash text not null,
  identity integer not null,
  last_used_at integer,
  created_at integer not null,
  updated_at integer not null
) strict`

/** Name and picture of a webhook; each change creates a new one, because messages keep theirs. */
const IDENTITY = `create table channel_webhook_identity (
  seq integer primary key autoincrement,
  webhook_id text not null,
  channel_id text not null references channel (id) on delete cascade,
  name text not null,
  picture text,
  created_at integer not null
) strict`

/** Contentless, like the index of chats. `place` is one word that identifies the channel. */
const SEARCH = `create virtual table channel_message_search using fts5 (
  place, content, content = '', contentless_delete = 1, prefix = '2', tokenize = "unicode61 remove_diacritics 2"
)`

/** Nothing may be added to the data of a user while the account is being removed. */
const needsAccount = (table: string, condition = ''): string =>
  `create trigger ${table}_needs_account before insert on ${table} ` +
  `when not exists (select 1 from user where id = new.user_id and deleted_at is null)${condition} ` +
  "begin select raise(abort, 'The account of the owner was deleted.'); end"

const COUNT_REPLIES = [
  `create trigger channel_message_counts after insert on channel_message when new.parent_id is not null begin
    update channel_message set reply_count = reply_count + 1, latest_reply_at = new.created_at where id = new.parent_id; end`,
  `create trigger channel_message_uncounts after delete on channel_message when old.parent_id is not null begin
    update channel_message set reply_count = reply_count - 1, latest_reply_at =
      (select max(other.created_at) from channel_message other where other.parent_id = old.parent_id) where id = old.parent_id; end`,
]

/** SQLite can change the check of a column only by rebuilding its table. */
const DELETION = [
  `create table deletion_next (
    id integer primary key,
    kind text not null check (kind in ('account', 'files', 'file', 'chats', 'channel')),
    subject text not null,
    title text not null,
    created_at integer not null,
    unique (kind, subject)
  ) strict`,
  'insert into deletion_next select id, kind, subject, title, created_at from deletion',
  'drop table deletion',
  'alter table deletion_next rename to deletion',
]

export const migration: Migration = {
  id: '0033-channels',
  statements: [
    CHANNEL,
    MEMBER,
    'create index channel_member_by_user on channel_member (user_id, channel_id)',
    MARK,
    'create index channel_mark_by_channel on channel_mark (channel_id)',
    MESSAGE,
    'create index channel_message_by_time on channel_message (channel_id, created_at, user_id, webhook_id)',
    'create index channel_message_in_list on channel_message (channel_id, created_at) where parent_id is null',
    'create index channel_message_in_thread on channel_message (parent_id, created_at) where parent_id is not null',
    'create index channel_message_pinned on channel_message (channel_id, pinned_at) where pinned_at is not null',
    'create index channel_message_by_author on channel_message (user_id) where webhook_id is null',
    'create index channel_message_unfinished on channel_message (seq) where done = 0',
    REACTION,
    'create index channel_reaction_by_user on channel_reaction (user_id)',
    MENTION,
    'create index channel_mention_by_message on channel_mention (message_seq)',
    FILE,
    'create index channel_file_by_message on channel_file (message_seq)',
    WEBHOOK,
    'create index channel_webhook_by_channel on channel_webhook (channel_id)',
    'create index channel_webhook_by_user on channel_webhook (user_id)',
    IDENTITY,
    'create index channel_webhook_identity_by_webhook on channel_webhook_identity (webhook_id)',
    'create index channel_webhook_identity_by_channel on channel_webhook_identity (channel_id)',
    'create trigger channel_webhook_forgets after delete on channel_webhook begin delete from channel_webhook_identity where webhook_id = old.id; end',
    SEARCH,
    'create trigger channel_message_search_remove after delete on channel_message begin delete from channel_message_search where rowid = old.seq; end',
    "insert into channel_message_search (channel_message_search, rank) values ('deletemerge', 0)",
    ...COUNT_REPLIES,
    needsAccount('channel'),
    needsAccount('channel_member'),
    needsAccount('channel_message', ' and new.webhook_id is null'),
    needsAccount('channel_reaction'),
    needsAccount('channel_webhook'),
    ...DELETION,
  ],
}
