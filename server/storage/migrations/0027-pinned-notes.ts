import type { Migration } from './migration.ts'

/** Pins of notes are per user, also for notes that others share. */
const PINNED_NOTE = `create table pinned_note (
  user_id text not null references user (id) on delete cascade,
  note_id text not null references note (id) on delete cascade,
  primary key (user_id, note_id)
) strict, without rowid`

export const migration: Migration = {
  id: '0027-pinned-notes',
  statements: [
    PINNED_NOTE,
    'create index pinned_note_note on pinned_note (note_id)',
    'insert into pinned_note (user_id, note_id) select user_id, id from note where is_pinned = 1',
    'alter table note drop column is_pinned',
  ],
}
