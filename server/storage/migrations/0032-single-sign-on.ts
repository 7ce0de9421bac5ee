import type { Migration } from './migration.ts'

/** Identity of a user at a provider, the only link to the account. */
const IDENTITY = `create table oauth_identity (
  issuer text not null,
  subject text not null,
  provider text not null,
  user_id text not null references user (id) on delete cascade,
  created_at integer not null,
  last_used_at integer not null,
  primary key (issuer, subject)
) strict, without rowid`

/** Sign-ins whose tokens are stored, by the hash of the browser's secret. */
const SESSION = `create table oauth_session (
  id text primary key,
  user_id text not null references user (id) on delete cascade,
  provider text not null,
  issuer text not null,
  subject text not null,
  sid text,
  secret_hash text not null,
  tokens text not null,
  expires_at integer,
  is_renewable integer not null,
  began_at integer not null,
  updated_at integer not null
) strict, without rowid`

/** Single-use values, until they would be refused for their age. */
const SPENT = `create table spent_token (
  kind text not null check (kind in ('state', 'logout')),
  id text not null,
  expires_at integer not null,
  primary key (kind, id)
) strict, without rowid`

/** Accounts created for an e-mail address that was never verified. */
const UNPROVED = `create table unproved_email (
  user_id text primary key references user (id) on delete cascade
) strict, without rowid`

/** For older accounts with a password it is unknown how they were created. */
const TAKE_OVER =
  'insert into unproved_email select user.id from user join user_password on user_password.user_id = user.id where user.is_first = 0'

const refuseOwner = (table: string): string =>
  `create trigger ${table}_needs_account before insert on ${table} ` +
  'when (select deleted_at from user where id = new.user_id) is not null ' +
  "begin select raise(abort, 'The account of the owner was deleted.'); end"

export const migration: Migration = {
  id: '0032-single-sign-on',
  statements: [
    IDENTITY,
    'create index oauth_identity_by_user on oauth_identity (user_id)',
    SESSION,
    'create unique index oauth_session_by_secret on oauth_session (secret_hash)',
    'create index oauth_session_by_user on oauth_session (user_id, provider)',
    'create index oauth_session_by_subject on oauth_session (issuer, subject)',
    'create index oauth_session_by_sid on oauth_session (issuer, sid)',
    SPENT,
    'create index spent_token_by_end on spent_token (expires_at)',
    UNPROVED,
    TAKE_OVER,
    ...['oauth_identity', 'oauth_session'].map(refuseOwner),
  ],
}
