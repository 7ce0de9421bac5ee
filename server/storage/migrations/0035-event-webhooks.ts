import type { Migration } from './migration.ts'

const HOOK = `create table event_webhook (
  id text primary key,
  name text not null,
  url text not null,
  enabled integer not null check (enabled in (0, 1)),
  events text not null,
  secret text,
  created_at integer not null,
  updated_at integer not null
) strict`

/** Deliveries also go to event webhooks, and `kind` is then the name of an event. */
const DELIVERY = `create table new_webhook_delivery (
  id text primary key,
  user_id text references user (id) on delete cascade,
  hook_id text references event_webhook (id) on delete cascade,
  kind text not null,
  facts text not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null,
  next_attempt_at integer not null,
  status integer,
  problem text,
  created_at integer not null,
  finished_at integer,
  check (user_id is null or hook_id is null)
) strict`

const COLUMNS =
  'id, user_id, kind, facts, state, attempts, next_attempt_at, status, problem, created_at, finished_at'

export const migration: Migration = {
  id: '0035-event-webhooks',
  statements: [
    HOOK,
    DELIVERY,
    `insert into new_webhook_delivery (${COLUMNS}) select ${COLUMNS} from webhook_delivery order by rowid`,
    'drop table webhook_delivery',
    'alter table new_webhook_delivery rename to webhook_delivery',
    "create index webhook_delivery_due on webhook_delivery (next_attempt_at) where state = 'waiting'",
    'create index webhook_delivery_receiver on webhook_delivery (user_id, hook_id, state)',
  ],
}
