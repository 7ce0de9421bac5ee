import type { Migration } from './migration.ts'

const KNOWN_PLACE = `create table known_place (
  account text not null,
  kind text not null check (kind in ('device', 'address')),
  place text not null,
  user_id text not null references user (id) on delete cascade,
  last_used_at integer not null,
  primary key (account, kind, place)
) strict, without rowid`

/**
 * Takes over earlier sign-ins; IPv6 addresses are stored by their network, which SQL cannot
 * extract.
 */
const TAKE_OVER = `insert into known_place (account, kind, place, user_id, last_used_at)
select user_id, 'address', address, user_id, max(created_at) from user_session where address like '%.%.%.%' and address not like '%:%'
group by user_id, address`

/**
 * Places of earlier sign-ins, for which the limits on wrong passwords count separately from
 * strangers.
 */
export const migration: Migration = {
  id: '0023-known-places',
  statements: [
    KNOWN_PLACE,
    'create index known_place_by_user on known_place (user_id)',
    'create index known_place_by_time on known_place (last_used_at)',
    TAKE_OVER,
  ],
}
