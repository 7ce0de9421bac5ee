import { z } from 'zod'

/** Update mode: whether the app checks for new versions by itself, and what it does with one. */
export const updateModeSchema = z.enum(['never', 'ask', 'automatic'])
export type UpdateMode = z.output<typeof updateModeSchema>

/** Reason there is no update, or one is not installed. */
const updateProblemSchema = z.enum([
  'unreachable',
  'slow',
  'unreadable',
  'elsewhere',
  'older',
  'checksum',
  'cut',
  'space',
  'signature',
  'copy',
  'not-written',
  'not-installed',
  'sealed',
  'other',
])
export type UpdateProblem = z.output<typeof updateProblemSchema>

/** Update state of the app. */
export const updateStateSchema = z.object({
  /** How this build is updated: by itself, as a package of the system, or not at all. */
  way: z.enum(['itself', 'package', 'nowhere']),
  phase: z.enum(['idle', 'looking', 'current', 'found', 'downloading', 'ready', 'waiting']),
  /** Running version. */
  version: z.string(),
  found: z.object({ version: z.string(), notes: z.string() }).nullable(),
  /** Downloaded fraction, from 0 to 1; null if unknown. */
  share: z.number().min(0).max(1).nullable(),
  /** True if found by an automatic check, so the user must be notified on any screen. */
  isNews: z.boolean(),
  problem: updateProblemSchema.nullable(),
  /** Original error message of the component that failed. */
  detail: z.string().nullable(),
})
export type UpdateState = z.output<typeof updateStateSchema>

export const updateActSchema = z.enum(['read', 'look', 'download', 'cancel', 'restart'])
export type UpdateAct = z.output<typeof updateActSchema>
