import type { Generated } from 'kysely'
import type { Role } from '#contract/common.ts'

/** Tables of users and auth as Kysely sees them. Times are unix seconds. */
export interface UsersTables {
  user: {
    id: string
    email: string
    name: string
    role: Role
    /** 1 for the very first account, the only one whose role and existence are protected. */
    is_first: number
    token_version: Generated<number>
    last_active_at: number | null
    created_at: number
    updated_at: number
  }
  /** An account without a row has no password and cannot sign in with one. */
  user_password: { user_id: string; hash: string }
  user_settings: { user_id: string; value: string }
  api_key: {
    id: string
    user_id: string
    name: string
    /** SHA-256 of the secret; the secret itself is kept nowhere. */
    secret_hash: Buffer
    hint: string
    created_at: number
    last_used_at: number | null
  }
  /** Session tokens that were signed out before their time; `expires_at` is null when a token never expires. */
  revoked_token: { jti: string; user_id: string; expires_at: number | null }
  /** Tries counted against a limit, so that a restart does not forget them. */
  throttle: { subject: string; tries: number; ends_at: number }
}
