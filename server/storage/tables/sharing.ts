import type { Generated } from 'kysely'

/** Tables of sharing as Kysely sees them. Times are unix seconds. */
export interface SharingTables {
  /** In PEM format; the keys are encrypted. */
  share_certificate: { kind: 'authority' | 'server' | 'own'; certificate: string; key: string }
  /** At most one row. */
  share_state: { id: number; ends_at: number | null }
  guest_pass: {
    id: string
    name: string
    /** JSON list of ids. */
    models: string
    message_limit: number
    message_count: Generated<number>
    /** SHA-256 of the secret of the link, which is not stored. */
    secret_hash: Buffer
    created_at: number
    ends_at: number
    /** Time when a device used it. */
    used_at: number | null
    ended_at: number | null
    /** The account of the guest, once there is one. */
    user_id: string | null
  }
}
