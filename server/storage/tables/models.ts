/** Tables of the models domain as Kysely sees them. Times are unix seconds. */
export interface ModelsTables {
  /** A row without `base_model_id` describes the model of a connection that has its id. */
  model: {
    id: string
    /** Null if the account is deleted. */
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
