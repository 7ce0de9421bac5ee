import type { Migration } from './migration.ts'

const CONNECTION = `create table outgoing_connection (
  id text primary key,
  began_at integer not null,
  ended_at integer,
  host text not null,
  port integer not null,
  address text,
  purpose text not null,
  name text,
  bytes_sent integer not null,
  bytes_received integer not null,
  times integer not null,
  outcome text not null check (outcome in ('open', 'ended', 'failed', 'refused')),
  fault text
) strict, without rowid`

/** Requests that left this computer, and refused ones. */
export const migration: Migration = {
  id: '0042-outgoing',
  statements: [
    CONNECTION,
    'create index outgoing_connection_began on outgoing_connection (began_at)',
  ],
}
