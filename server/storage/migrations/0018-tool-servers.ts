import type { Migration } from './migration.ts'

const SERVER = `create table tool_server (
  id text primary key not null,
  position integer not null,
  record text not null,
  secrets text not null,
  approved text,
  created_at integer not null,
  updated_at integer not null
) strict`

const TOKEN = `create table tool_server_token (
  user_id text not null references user (id) on delete cascade,
  server_id text not null references tool_server (id) on delete cascade,
  token text not null,
  updated_at integer not null,
  primary key (user_id, server_id)
) strict, without rowid`

const ANSWER = `create table tool_answer (
  user_id text not null references user (id) on delete cascade,
  chat_id text not null,
  tool text not null,
  decision text not null check (decision in ('allow', 'deny')),
  created_at integer not null,
  primary key (user_id, chat_id, tool)
) strict, without rowid`

export const migration: Migration = {
  id: '0018-tool-servers',
  statements: [
    SERVER,
    TOKEN,
    'create index tool_server_token_by_server on tool_server_token (server_id)',
    ANSWER,
    'create index tool_answer_by_chat on tool_answer (chat_id)',
    'create trigger tool_answers_leave_with_chat after delete on chat begin delete from tool_answer where chat_id = old.id; end',
    "create trigger tool_server_leaves after delete on tool_server begin delete from access_grant where resource_type = 'tool_server' and resource_id = old.id; end",
  ],
}
