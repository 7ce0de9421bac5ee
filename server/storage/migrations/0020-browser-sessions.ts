import type { Migration } from './migration.ts'

/**
 * Ends the sessions of browsers once: the cookies they hold are whole credentials, which servers on
 * other ports of the same host may have got. People sign in again; programs, which do not name
 * themselves so, stay signed in.
 */
export const migration: Migration = {
  id: '0020-browser-sessions',
  statements: [
    `insert into revoked_token (jti, user_id, expires_at)
      select jti, user_id, expires_at from user_session where user_agent like 'mozilla/%'
      on conflict do nothing`,
    "delete from user_session where user_agent like 'mozilla/%'",
  ],
}
