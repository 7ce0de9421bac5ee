import { z } from './lazy-zod.ts'
import { defineEndpoints } from './endpoint.ts'

/** Verified copy of the database in the data folder of the gateway. */
export const backupSchema = z
  .object({
    /** Path on the gateway's computer. */
    path: z.string(),
    /** `daily`, `manual`, or the operation before which it was created. */
    label: z.string(),
    bytes: z.int(),
    /** Creation time in unix seconds. */
    created_at: z.int(),
  })
  .meta({ id: 'Backup' })

export const backupEndpoints = defineEndpoints(
  { domain: 'backups', tag: 'Backups', root: '/api/v1' },
  {
    list: {
      method: 'GET',
      path: '/backups',
      auth: 'admin',
      response: z.array(backupSchema),
      summary: 'Copies of the database, newest first.',
    },
    download: {
      method: 'GET',
      path: '/utils/db/download',
      auth: 'admin',
      reply: 'stream',
      replyTypes: ['application/vnd.sqlite3'],
      response: z.unknown(),
      errors: [403, 409, 507],
      summary: 'A checked copy of the database as a file, while ENABLE_ADMIN_EXPORT is on.',
    },
    create: {
      method: 'POST',
      path: '/backups',
      auth: 'admin',
      response: backupSchema,
      errors: [409, 507],
      summary:
        'Copies the database while it is in use, and checks the copy. It contains the texts of files, not their bytes, which are in `uploads` or in the bucket of an object store.',
    },
  },
)
