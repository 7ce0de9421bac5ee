import type { Migration } from './migration.ts'

/** `content` is encrypted. */
const FLOW = `create table pending_flow (
  kind text not null,
  id text not null,
  user_id text not null references user (id) on delete cascade,
  content text not null,
  expires_at integer not null,
  primary key (kind, id)
) strict, without rowid`

/** Procedures of users that span several calls, each of which may arrive at another gateway. */
export const migration: Migration = {
  id: '0055-pending-flows',
  statements: [
    FLOW,
    'create index pending_flow_by_user on pending_flow (user_id, kind, expires_at)',
    'create index pending_flow_by_end on pending_flow (expires_at)',
  ],
}
