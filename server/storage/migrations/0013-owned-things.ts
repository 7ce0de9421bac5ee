import type { Migration } from './migration.ts'

const SHARED_TABLES = ['prompt', 'note', 'model', 'chat'] as const

/**
 * However an item is deleted, including with the account of its owner, all grants on it are
 * deleted.
 */
const forgetGrants = (table: (typeof SHARED_TABLES)[number]): string =>
  `create trigger ${table}_grants_remove after delete on ${table} ` +
  `begin delete from access_grant where resource_type = '${table}' and resource_id = old.id; end`

const forgetOrphans = (table: 'prompt' | 'note' | 'chat'): string =>
  `delete from access_grant where resource_type = '${table}' and resource_id not in (select id from ${table})`

export const migration: Migration = {
  id: '0013-owned-things',
  statements: [
    ...SHARED_TABLES.map(forgetGrants),
    forgetOrphans('prompt'),
    forgetOrphans('note'),
    forgetOrphans('chat'),
    'create index model_by_owner on model (user_id) where user_id is not null',
    // An administrator's settings for a model of a connection belong to the gateway and stay.
    'create trigger user_models_remove before delete on user ' +
      'begin delete from model where user_id = old.id and base_model_id is not null; end',
  ],
}
