/** Tables of sign-in with other providers as Kysely sees them. Times are unix seconds. */
export interface SingleSignOnTables {
  oauth_identity: {
    issuer: string
    subject: string
    provider: string
    user_id: string
    created_at: number
    last_used_at: number
  }
  oauth_session: OAuthSessionTable
  spent_token: {
    kind: 'state' | 'logout'
    /** Hash of the value. */
    id: string
    expires_at: number
  }
  /** Accounts whose e-mail address was never verified. */
  unproved_email: { user_id: string }
}

export interface OAuthSessionTable {
  id: string
  user_id: string
  provider: string
  issuer: string
  subject: string
  /** The provider's id of the user's session there, if it sends one. */
  sid: string | null
  /** Hash of the browser's cookie value, which is not stored. */
  secret_hash: string
  /** Encrypted JSON of the provider's tokens. */
  tokens: string
  /** Expiry time of the access token; null if the provider did not specify it. */
  expires_at: number | null
  /** 1 when there is a refresh token. */
  is_renewable: number
  /** Unix milliseconds, because the oldest one is removed first. */
  began_at: number
  updated_at: number
}
