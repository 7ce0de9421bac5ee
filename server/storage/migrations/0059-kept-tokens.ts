import type { Migration } from './migration.ts'

const KEPT = `create table api_key_reservation (
  id text primary key,
  key_id text not null references api_key (id) on delete cascade,
  replica text not null references replica (id) on delete cascade,
  tokens integer not null
) strict, without rowid`

/**
 * Tokens that running calls of keys with a daily cap may use. Each row belongs to the gateway that
 * runs the call, and ends with it.
 */
export const migration: Migration = {
  id: '0059-kept-tokens',
  statements: [
    KEPT,
    'create index api_key_reservation_by_key on api_key_reservation (key_id)',
    'create index api_key_reservation_by_replica on api_key_reservation (replica)',
  ],
}
