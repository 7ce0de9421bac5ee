import type { Migration } from './migration.ts'

/**
 * Tools and functions. Without a reference to the owner: functions are available to all users and
 * outlive the account that installed them.
 */
const PLUGIN = `create table plugin (
  store text not null check (store in ('tool', 'function')),
  id text not null,
  user_id text not null,
  name text not null,
  kind text not null check (kind in ('tool', 'pipe', 'filter', 'action', 'event')),
  content text not null,
  meta text not null,
  description text not null,
  valves text,
  is_active integer not null,
  is_global integer not null,
  fault text,
  created_at integer not null,
  updated_at integer not null,
  primary key (store, id)
) strict`

const USER_VALVES = `create table plugin_user_valves (
  store text not null,
  plugin_id text not null,
  user_id text not null references user (id) on delete cascade,
  valves text not null,
  primary key (store, plugin_id, user_id),
  foreign key (store, plugin_id) references plugin (store, id) on delete cascade
) strict, without rowid`

export const migration: Migration = {
  id: '0017-plugins',
  statements: [
    PLUGIN,
    'create index plugin_by_owner on plugin (user_id, store)',
    USER_VALVES,
    'create index plugin_user_valves_by_user on plugin_user_valves (user_id)',
    "create trigger plugin_leaves after delete on plugin when old.store = 'tool' begin " +
      "delete from access_grant where resource_type = 'tool' and resource_id = old.id; end",
    "create trigger tools_leave_with_owner after delete on user begin delete from plugin where store = 'tool' and user_id = old.id; end",
  ],
}
