import type { Migration } from './migration.ts'

/** Starred messages with an excerpt of their text: listing them reads no message text. */
const STARRED_MESSAGE = `create table starred_message (
  seq integer primary key references message (seq) on delete cascade,
  user_id text not null,
  starred_at integer not null,
  excerpt text not null
) strict`

/** Long enough for a list entry after what an answer may begin with, such as a call. */
const EXCERPT = 2000

/** The mark is among other fields; a text without its name has none and is not parsed. */
const isMarked = (row: string): string => `instr(${row}.extra, '"favorite"') > 0`
const isStarred = (row: string): string => `json_extract(${row}.extra, '$.favorite') = 1`

const star = (time: string): string =>
  'insert into starred_message (seq, user_id, starred_at, excerpt) ' +
  `select new.seq, c.user_id, ${time}, substr(new.content, 1, ${EXCERPT}) from chat c where c.id = new.chat_id and ${isStarred('new')} ` +
  'on conflict (seq) do update set excerpt = excluded.excerpt'

/** However a message is written, by its user, an import or a copy, its star is in the list. */
export const migration: Migration = {
  id: '0038-starred-messages',
  statements: [
    STARRED_MESSAGE,
    'create index starred_message_of_user on starred_message (user_id, starred_at desc, seq desc)',
    `insert into starred_message (seq, user_id, starred_at, excerpt)
      select m.seq, c.user_id, m.timestamp, substr(m.content, 1, ${EXCERPT})
      from message m join chat c on c.id = m.chat_id where ${isMarked('m')} and ${isStarred('m')}`,
    `create trigger message_comes_starred after insert on message when ${isMarked('new')} begin
      ${star('unixepoch()')}; end`,
    `create trigger message_star_changes after update of content, extra on message when ${isMarked('old')} or ${isMarked('new')} begin
      delete from starred_message where seq = new.seq and (${isStarred('new')}) is not true;
      ${star('unixepoch()')}; end`,
  ],
}
