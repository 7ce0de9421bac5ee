import type { Migration } from './migration.ts'

const CALENDAR = `create table calendar (
  id text primary key,
  user_id text not null references user (id) on delete cascade,
  name text not null,
  color text,
  is_default integer not null check (is_default in (0, 1)),
  data text,
  meta text,
  created_at integer not null,
  updated_at integer not null
) strict`

const EVENT = `create table calendar_event (
  id text primary key,
  calendar_id text not null references calendar (id) on delete cascade,
  user_id text not null,
  title text not null,
  description text,
  start_at integer not null,
  end_at integer,
  all_day integer not null check (all_day in (0, 1)),
  rrule text,
  color text,
  location text,
  data text,
  meta text,
  is_cancelled integer not null check (is_cancelled in (0, 1)),
  created_at integer not null,
  updated_at integer not null
) strict`

const ATTENDEE = `create table calendar_attendee (
  id text primary key,
  event_id text not null references calendar_event (id) on delete cascade,
  user_id text not null references user (id) on delete cascade,
  status text not null,
  meta text,
  created_at integer not null,
  updated_at integer not null,
  unique (event_id, user_id)
) strict`

/** Calendars, their entries and invitations. Each user has one default calendar. */
export const migration: Migration = {
  id: '0047-calendars',
  statements: [
    CALENDAR,
    'create index calendar_by_owner on calendar (user_id, created_at)',
    'create unique index calendar_default on calendar (user_id) where is_default = 1',
    EVENT,
    'create index calendar_event_by_time on calendar_event (calendar_id, start_at)',
    'create index calendar_event_repeated on calendar_event (calendar_id) where rrule is not null',
    ATTENDEE,
    'create index calendar_attendee_by_person on calendar_attendee (user_id)',
    'create trigger calendar_grants_remove after delete on calendar ' +
      "begin delete from access_grant where resource_type = 'calendar' and resource_id = old.id; end",
  ],
}
