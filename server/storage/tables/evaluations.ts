import type { Generated } from 'kysely'

/** Tables of the evaluations domain as Kysely sees them. Times are unix seconds. */
export interface EvaluationsTables {
  /** `seq` gives the age. */
  feedback: {
    seq: Generated<number>
    id: string
    user_id: string
    type: string
    /** Both from `data`, for sorting and counting. */
    model_id: string | null
    rating: number | null
    /** JSON object. */
    data: string
    /** JSON object. */
    meta: string
    created_at: number
    updated_at: number
    /** JSON object: the chat as it was then. */
    snapshot: string | null
  }
}
