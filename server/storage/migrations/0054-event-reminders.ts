import type { Migration } from './migration.ts'

/** Time of the next reminder of an event. */
export const migration: Migration = {
  id: '0054-event-reminders',
  statements: [
    'alter table calendar_event add column remind_at integer',
    'create index calendar_event_to_remind on calendar_event (remind_at) where remind_at is not null',
  ],
}
