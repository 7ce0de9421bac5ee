import type { Migration } from './migration.ts'

/**
 * Ends all sessions of browsers once: their cookies are complete credentials, which servers on
 * other ports of the same host may have received. Users sign in again; other clients, which do not
 * identify as browsers, stay signed in.
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
