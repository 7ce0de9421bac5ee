import type { Migration } from './migration.ts'

const FEEDBACK = `create table feedback (
  seq integer primary key,
  id text not null unique,
  user_id text not null references user (id) on delete cascade,
  type text not null,
  model_id text,
  rating integer,
  data text not null,
  meta text not null,
  created_at integer not null,
  updated_at integer not null,
  snapshot text
) strict`

export const migration: Migration = {
  id: '0011-evaluations',
  statements: [
    FEEDBACK,
    'create index feedback_by_user on feedback (user_id)',
    'create index feedback_by_model on feedback (model_id)',
  ],
}
