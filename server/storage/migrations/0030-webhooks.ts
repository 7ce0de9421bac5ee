import type { Migration } from './migration.ts'

/** Events being delivered to other servers, with the last completed one of each receiver. */
const DELIVERY = `create table webhook_delivery (
  id text primary key,
  user_id text references user (id) on delete cascade,
  kind text not null check (kind in ('new_user', 'chat_response', 'test')),
  facts text not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null,
  next_attempt_at integer not null,
  status integer,
  problem text,
  created_at integer not null,
  finished_at integer
) strict`

const SECRET = `create table webhook_secret (
  user_id text primary key references user (id) on delete cascade,
  secret text not null
) strict, without rowid`

export const migration: Migration = {
  id: '0030-webhooks',
  statements: [
    DELIVERY,
    "create index webhook_delivery_due on webhook_delivery (next_attempt_at) where state = 'waiting'",
    'create index webhook_delivery_receiver on webhook_delivery (user_id, state)',
    SECRET,
  ],
}
