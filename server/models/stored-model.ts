/** A JSON object whose content only the author of the model decides. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * A workspace model (with a base), or what an administrator changed about a model of a connection
 * (without).
 */
export interface StoredModel {
  readonly id: string
  /** Null when the account is gone. */
  readonly user_id: string | null
  readonly base_model_id: string | null
  readonly name: string
  readonly params: Fields
  readonly meta: Fields
  readonly is_active: boolean
  readonly created_at: number
  readonly updated_at: number
}
