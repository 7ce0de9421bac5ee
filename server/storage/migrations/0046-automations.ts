import type { Migration } from './migration.ts'

const AUTOMATION = `create table automation (
  id text primary key,
  user_id text not null references user (id) on delete cascade,
  name text not null,
  data text not null,
  meta text,
  is_active integer not null,
  last_run_at integer,
  next_run_at integer,
  token_hash text,
  token_used_at integer,
  created_at integer not null,
  updated_at integer not null
) strict`

const RUN = `create table automation_run (
  id text primary key,
  automation_id text not null references automation (id) on delete cascade,
  chat_id text,
  status text not null,
  cause text not null,
  error text,
  planned_at integer,
  created_at integer not null,
  ended_at integer
) strict`

/** An automation has one run at a time; the database refuses a second one. */
export const migration: Migration = {
  id: '0046-automations',
  statements: [
    AUTOMATION,
    'create index automation_by_owner on automation (user_id, created_at)',
    'create index automation_due on automation (next_run_at) where is_active = 1 and next_run_at is not null',
    RUN,
    'create index automation_run_by_age on automation_run (automation_id, created_at)',
    "create unique index automation_running on automation_run (automation_id) where status = 'running'",
  ],
}
