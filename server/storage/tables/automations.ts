import type { RunCause, RunStatus } from '#contract/automations.ts'

/** A scheduled prompt. Times are unix milliseconds. */
export interface AutomationTable {
  id: string
  user_id: string
  name: string
  /** JSON object: prompt, model, rule and the like. */
  data: string
  /** JSON object or null. */
  meta: string | null
  is_active: number
  last_run_at: number | null
  next_run_at: number | null
  /** SHA-256 of the secret of its URL; null while it has none. */
  token_hash: string | null
  token_used_at: number | null
  created_at: number
  updated_at: number
}

/** Times are unix milliseconds; `chat_id` may refer to a deleted chat. */
export interface AutomationRunTable {
  id: string
  automation_id: string
  chat_id: string | null
  status: RunStatus
  cause: RunCause
  error: string | null
  planned_at: number | null
  created_at: number
  /** The gateway that runs it, if several share the database. */
  replica: string | null
  ended_at: number | null
}

/** Tables of automations as Kysely sees them. */
export interface AutomationsTables {
  automation: AutomationTable
  automation_run: AutomationRunTable
}
