import { z } from './lazy-zod.ts'
import { defineEndpoints } from './endpoint.ts'

/**
 * Deletion whose rows are still being removed. Its contents are no longer visible, and it cannot be
 * undone.
 */
export const deletionSchema = z
  .object({
    id: z.int(),
    /**
     * An account, the files of all users, one file, items removed from a user's trash, or a
     * channel.
     */
    kind: z.enum(['account', 'files', 'file', 'chats', 'channel']),
    /** Name of the account or channel; empty for the other kinds. */
    title: z.string(),
    /** Initial and remaining number of rows; null until they are counted. */
    total: z.int().nullable(),
    left: z.int().nullable(),
    /** Start time in unix seconds. */
    created_at: z.int(),
  })
  .meta({ id: 'Deletion' })

export type Deletion = z.output<typeof deletionSchema>

export const deletionEndpoints = defineEndpoints(
  { domain: 'deletions', tag: 'Deletions', root: '/api/v1' },
  {
    list: {
      method: 'GET',
      path: '/deletions',
      auth: 'user',
      response: z.array(deletionSchema),
      summary:
        'Deleted objects that are still being removed, the oldest first: own ones, for administrators those of all users.',
    },
  },
)
