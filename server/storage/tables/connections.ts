import type { ConnectionKind } from '#contract/connection-kinds.ts'

/** Tables of the connections domain as Kysely sees them. Times are unix seconds. */
export interface ConnectionsTables {
  connection: {
    id: string
    kind: ConnectionKind
    name: string
    url: string
    enabled: number
    prefix_id: string
    /** JSON array of strings. */
    model_ids: string
    /** Encrypted JSON object; null when there are no headers. */
    headers: string | null
    /** Encrypted; null when there is no key. */
    key: string | null
    timeout_seconds: number
    /** Null if the URL decides. */
    connection_type: 'local' | 'external' | null
    access: 'everybody' | 'granted'
    use_proxy: number
    /** SHA-256 of the one certificate that is trusted besides those of certificate authorities. */
    trusted_certificate: string | null
    created_at: number
    updated_at: number
  }
  /** The models a connection listed when it last answered. */
  connection_models: {
    connection_id: string
    /** The URL that listed them; a connection with a changed URL must be queried again. */
    url: string
    /** JSON array of models. */
    models: string
    updated_at: number
  }
  /** An administrator's changes to a connection of the environment. */
  connection_override: {
    /** Kind, URL and index among those with the same URL. */
    id: string
    /** JSON object of the changed fields that are not secret. */
    fields: string
    /** Encrypted JSON object of a changed key and changed headers; null if neither was changed. */
    secrets: string | null
    updated_at: number
  }
}
