/** Tables of the models domain as Kysely sees them. Times are unix seconds. */
export interface ModelsTables {
  /** Without `base_model_id` the row is about the model of a connection that has its id. */
  model: {
    id: string
    /** Null when the account is gone. */
    user_id: string | null
    base_model_id: string | null
    name: string
    /** JSON object. */
    params: string
    /** JSON object. */
    meta: string
    is_active: number
    created_at: number
    updated_at: number
  }
}
