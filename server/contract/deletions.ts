import { z } from './lazy-zod.ts'
import { defineEndpoints } from './endpoint.ts'

/**
 * Something deleted whose rows are still being removed. Nobody sees any of it, and it cannot be
 * taken back.
 */
export const deletionSchema = z
  .object({
    id: z.number().int(),
    /**
     * An account, the files of everybody, one file, what a person's trash let go of, or a channel.
     */
    kind: z.enum(['account', 'files', 'file', 'chats', 'channel']),
    /** The name of the account or channel; empty for the other kinds. */
    title: z.string(),
    /** Rows there were, and rows still there; null until they are counted. */
    total: z.number().int().nullable(),
    left: z.number().int().nullable(),
    /** Unix seconds. */
    created_at: z.number().int(),
  })
  .meta({ id: 'Deletion' })

/** A deletion as it is listed. */
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
        'What was deleted and is still being removed, the oldest first: own things, for administrators those of everybody.',
    },
  },
)
