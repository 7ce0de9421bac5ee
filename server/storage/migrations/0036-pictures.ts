import type { Migration } from './migration.ts'

/**
 * Inputs from which a picture was generated, besides its file; `seq` is the order of the gallery.
 */
const PICTURE = `create table picture (
  seq integer primary key autoincrement,
  file_id text not null unique references file (id) on delete cascade,
  user_id text not null references user (id) on delete cascade,
  kind text not null check (kind in ('generated', 'edited', 'received')),
  engine text not null,
  model text not null,
  prompt text not null,
  negative_prompt text not null,
  size text not null,
  width integer not null,
  height integer not null,
  seed integer,
  steps integer,
  chat_id text,
  message_id text,
  source_ids text not null,
  created_at integer not null
) strict`

export const migration: Migration = {
  id: '0036-pictures',
  statements: [PICTURE, 'create index picture_by_owner on picture (user_id, seq)'],
}
