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
    /** 1 for the account of a guest pass. */
    is_guest: Generated<number>
    token_version: Generated<number>
    last_active_at: number | null
    created_at: number
    updated_at: number
    /** Time when the account was deleted; the row stays until nothing refers to it any more. */
    deleted_at: Generated<number | null>
  }
  /** An account without a row has no password and cannot sign in with one. */
  user_password: { user_id: string; hash: string }
  user_settings: { user_id: string; value: string }
  api_key: {
    id: string
    user_id: string
    name: string
    /** SHA-256 of the secret, which is not stored. */
    secret_hash: Buffer
    hint: string
    created_at: number
    last_used_at: number | null
    /** The client that used it last, as it identifies itself. */
    last_used_by: string | null
    last_used_from: string | null
    /** JSON object, null for a key without limits. */
    limits: string | null
  }
  /** Use of a key on one day, counted in days since 1970 (UTC). */
  api_key_usage: { key_id: string; day: number; requests: number; tokens: number }
  /** Tokens that a running call of a key may use, and the gateway that runs it. */
  api_key_reservation: { id: string; key_id: string; replica: string; tokens: number }
  /** Sessions that have not ended, by the id of their token. */
  user_session: {
    jti: string
    user_id: string
    token_version: number
    created_at: number
    last_used_at: number
    expires_at: number | null
    user_agent: string
    address: string
    /** 1 if it was opened through the listener that is shared with the network. */
    is_shared: Generated<number>
  }
  user_profile: {
    user_id: string
    username: string | null
    bio: string | null
    gender: string | null
    date_of_birth: string | null
    timezone: string | null
    /** A bitmap as a `data:` URL or a web URL; null for the built-in picture. */
    profile_image_url: string | null
    profile_banner_image_url: string | null
    status_emoji: string | null
    status_message: string | null
    status_expires_at: number | null
    /** JSON object. */
    info: string | null
  }
  /**
   * Session tokens that were signed out before they expired; `expires_at` is null if a token never
   * expires.
   */
  revoked_token: { jti: string; user_id: string; expires_at: number | null }
  /** Known places of an account: a browser by the hash of its secret, or an IP address. */
  known_place: {
    /** Id of the account, or the directory name that maps to it. */
    account: string
    kind: 'device' | 'address'
    place: string
    user_id: string
    last_used_at: number
  }
  /** Tries counted against a limit, so that they survive a restart. */
  throttle: { subject: string; tries: number; ends_at: number }
}
