/** Tables of the connections domain as Kysely sees them. Times are unix seconds. */
export interface ConnectionsTables {
  connection: {
    id: string
    kind: 'runtime' | 'compatible' | 'messages'
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
    /** Null where the address decides. */
    connection_type: 'local' | 'external' | null
    access: 'everybody' | 'granted'
    use_proxy: number
    /** SHA-256 of the one certificate that is trusted besides those of authorities. */
    trusted_certificate: string | null
    created_at: number
    updated_at: number
  }
  /** The models a connection listed when it last answered. */
  connection_models: {
    connection_id: string
    /** The address that listed them; a connection that was moved elsewhere has to be asked anew. */
    url: string
    /** JSON array of models. */
    models: string
    updated_at: number
  }
  /** What an administrator changed about a connection of the environment. */
  connection_override: {
    /** Kind, address and place among those with the same address. */
    id: string
    /** JSON object of what was changed and is no secret. */
    fields: string
    /** Encrypted JSON object of a changed key and changed headers; null when neither was. */
    secrets: string | null
    updated_at: number
  }
}
