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
    /** A hash of it. */
    id: string
    expires_at: number
  }
  /** Accounts whose e-mail address nobody has proved to own. */
  unproved_email: { user_id: string }
}

export interface OAuthSessionTable {
  id: string
  user_id: string
  provider: string
  issuer: string
  subject: string
  /** What the provider calls its own session of the person, where it says so. */
  sid: string | null
  /** Of the value of the browser's cookie, which is kept nowhere. */
  secret_hash: string
  /** Encrypted JSON of the provider's tokens. */
  tokens: string
  /** When the access token ends; null when the provider did not say. */
  expires_at: number | null
  /** 1 when there is a refresh token. */
  is_renewable: number
  /** Unix milliseconds, as the oldest one goes first. */
  began_at: number
  updated_at: number
}
