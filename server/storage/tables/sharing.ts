import type { Generated } from 'kysely'

/** Tables of sharing as Kysely sees them. Times are unix seconds. */
export interface SharingTables {
  /** PEM; the keys are ciphertexts. */
  share_certificate: { kind: 'authority' | 'server' | 'own'; certificate: string; key: string }
  /** One row at most. */
  share_state: { id: number; ends_at: number | null }
  guest_pass: {
    id: string
    name: string
    /** JSON list of ids. */
    models: string
    message_limit: number
    message_count: Generated<number>
    /** SHA-256 of the secret of the link, which is kept nowhere. */
    secret_hash: Buffer
    created_at: number
    ends_at: number
    /** When a device came in with it. */
    used_at: number | null
    ended_at: number | null
    /** The account of the guest, once there is one. */
    user_id: string | null
  }
}
