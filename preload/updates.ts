import { z } from 'zod'

/** Whether the app looks for new versions by itself, and what it does with one. */
export const updateModeSchema = z.enum(['never', 'ask', 'automatic'])
export type UpdateMode = z.output<typeof updateModeSchema>

/** Why there is no update, or why one is not installed. */
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

/** How things stand with new versions of the app. */
export const updateStateSchema = z.object({
  /** How this build gets a new version: by itself, as a package of the system, or not at all. */
  way: z.enum(['itself', 'package', 'nowhere']),
  phase: z.enum(['idle', 'looking', 'current', 'found', 'downloading', 'ready', 'waiting']),
  /** The version that is running. */
  version: z.string(),
  found: z.object({ version: z.string(), notes: z.string() }).nullable(),
  /** How much of it is here, from 0 to 1; null while it cannot be told. */
  share: z.number().min(0).max(1).nullable(),
  /** Found out without being asked, so the person has to be told wherever they are. */
  isNews: z.boolean(),
  problem: updateProblemSchema.nullable(),
  /** What the problem is called by whoever met it. */
  detail: z.string().nullable(),
})
export type UpdateState = z.output<typeof updateStateSchema>

export const updateActSchema = z.enum(['read', 'look', 'download', 'cancel', 'restart'])
export type UpdateAct = z.output<typeof updateActSchema>
