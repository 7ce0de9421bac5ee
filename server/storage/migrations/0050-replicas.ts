import type { Migration } from './migration.ts'

/** Times are unix seconds of the database clock. */
const REPLICA = `create table replica (
  id text primary key,
  seen_at integer not null
) strict`

const LEASE = `create table lease (
  name text primary key,
  holder text not null,
  until integer not null
) strict`

/**
 * The gateways that share a database, and their current work. `writer` is the run that writes an
 * answer, as `<replica>/<run>`: a run whose name has been removed writes nothing.
 */
export const migration: Migration = {
  id: '0050-replicas',
  statements: [
    REPLICA,
    LEASE,
    'alter table message add column writer text',
    'alter table file add column reader text',
    'alter table automation_run add column replica text',
  ],
}
