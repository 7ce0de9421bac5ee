/** A JSON object whose content is decided only by the author of the model. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * A workspace model (with a base), or an administrator's changes to a model of a connection
 * (without).
 */
export interface StoredModel {
  readonly id: string
  /** Null if the account was deleted. */
  readonly user_id: string | null
  readonly base_model_id: string | null
  readonly name: string
  readonly params: Fields
  readonly meta: Fields
  readonly is_active: boolean
  readonly created_at: number
  readonly updated_at: number
}
