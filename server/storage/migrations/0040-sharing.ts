import type { Migration } from './migration.ts'

const CERTIFICATE = `create table share_certificate (
  kind text primary key check (kind in ('authority', 'server', 'own')),
  certificate text not null,
  key text not null
) strict, without rowid`

const STATE = `create table share_state (
  id integer primary key check (id = 1),
  ends_at integer
) strict`

/**
 * No reference to the account of the guest: it is deleted when the pass ends, and the pass stays
 * visible for a while.
 */
const PASS = `create table guest_pass (
  id text primary key,
  name text not null,
  models text not null,
  message_limit integer not null,
  message_count integer not null default 0,
  secret_hash blob not null,
  created_at integer not null,
  ends_at integer not null,
  used_at integer,
  ended_at integer,
  user_id text
) strict, without rowid`

/** Devices of the network that connect to the gateway directly, and guests. */
export const migration: Migration = {
  id: '0040-sharing',
  statements: [
    CERTIFICATE,
    STATE,
    PASS,
    'alter table user add column is_guest integer not null default 0 check (is_guest in (0, 1))',
    'alter table user_session add column is_shared integer not null default 0 check (is_shared in (0, 1))',
  ],
}
