import type { Migration } from './migration.ts'

export const migration: Migration = {
  id: '0005-groups-access',
  statements: [
    `create table user_group (
      id text primary key,
      user_id text references user (id) on delete set null,
      name text not null,
      description text not null,
      permissions text not null,
      data text not null,
      meta text not null,
      created_at integer not null,
      updated_at integer not null
    ) strict`,
    'create index user_group_owner on user_group (user_id)',
    `create table user_group_member (
      group_id text not null references user_group (id) on delete cascade,
      user_id text not null references user (id) on delete cascade,
      primary key (group_id, user_id)
    ) strict, without rowid`,
    'create index user_group_member_user on user_group_member (user_id)',
    `create table access_grant (
      resource_type text not null,
      resource_id text not null,
      principal_type text not null check (principal_type in ('user', 'group')),
      principal_id text not null,
      permission text not null check (permission in ('read', 'write')),
      primary key (resource_type, resource_id, principal_type, principal_id, permission)
    ) strict, without rowid`,
    'create index access_grant_principal on access_grant (principal_type, principal_id)',
  ],
}
