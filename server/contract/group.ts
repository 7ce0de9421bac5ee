import { jsonObjectSchema } from './common.ts'
import { z } from './lazy-zod.ts'
import { permissionsInputSchema } from './permissions.ts'

/** Group of users. `permissions` holds only additions to the defaults; times are unix seconds. */
export const groupSchema = z
  .looseObject({
    id: z.string(),
    /** Id of the creator; empty if that account no longer exists. */
    user_id: z.string(),
    name: z.string(),
    description: z.string(),
    permissions: permissionsInputSchema,
    data: jsonObjectSchema,
    meta: jsonObjectSchema,
    member_count: z.int(),
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'Group' })
export type Group = z.output<typeof groupSchema>
