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
    created_at: number
    updated_at: number
  }
}
