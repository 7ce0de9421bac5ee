import type { Generated } from 'kysely'

/** Instructions that a model reads on demand. */
export interface SkillTable {
  id: string
  user_id: string
  name: string
  /** Empty if there is none. */
  description: string
  content: string
  /** JSON object. */
  meta: string
  is_active: number
  /** Number of changes. */
  revision: number
  created_at: number
  updated_at: number
}

export interface SkillFileTable {
  seq: Generated<number>
  skill_id: string
  path: string
  /** In bytes. */
  size: number
  content: Buffer
  updated_at: number
}

/** Tables of skills as Kysely sees them. Times are unix seconds. */
export interface SkillsTables {
  skill: SkillTable
  skill_file: SkillFileTable
}
