import type { Generated } from 'kysely'

/** Tables of the evaluations domain as Kysely sees them. Times are unix seconds. */
export interface EvaluationsTables {
  /** `seq` is the order of age. */
  feedback: {
    seq: Generated<number>
    id: string
    user_id: string
    type: string
    /** Both are copied from `data`, for sorting and counting. */
    model_id: string | null
    rating: number | null
    /** JSON object. */
    data: string
    /** JSON object. */
    meta: string
    created_at: number
    updated_at: number
    /** JSON object: the chat at that time. */
    snapshot: string | null
  }
}
