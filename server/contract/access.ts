import { z } from './lazy-zod.ts'

/**
 * One right on a resource: `principal_id` is a user id, a group id, or `*` for all signed-in users.
 */
export const accessGrantSchema = z
  .object({
    principal_type: z.enum(['user', 'group']),
    principal_id: z.string().min(1).max(256),
    permission: z.enum(['read', 'write']),
  })
  .meta({ id: 'AccessGrant' })
export type AccessGrant = z.output<typeof accessGrantSchema>

/** Stored right, with its resource; `created_at` is in unix seconds. */
export const accessGrantRecordSchema = accessGrantSchema
  .extend({
    id: z.string(),
    resource_type: z.string(),
    resource_id: z.string(),
    created_at: z.int(),
  })
  .meta({ id: 'AccessGrantRecord' })
export type AccessGrantRecord = z.output<typeof accessGrantRecordSchema>

const MOST_GRANTS = 2000
const idsSchema = z.array(z.string().max(256)).max(MOST_GRANTS).optional()
const principalsSchema = z.looseObject({ group_ids: idsSchema, user_ids: idsSchema })

/**
 * Older spelling: null = readable by all users, `{}` = private, otherwise lists of principals
 * (docs/wire-format.md).
 */
export const accessControlSchema = z
  .looseObject({ read: principalsSchema.optional(), write: principalsSchema.optional() })
  .nullable()
export type AccessControl = z.output<typeof accessControlSchema>

/**
 * Access in a request, in either spelling; `access_grants` takes precedence. Neither means private,
 * or unchanged on an update.
 */
export const accessInput = {
  access_grants: z.array(accessGrantSchema).max(MOST_GRANTS).nullish(),
  access_control: accessControlSchema.optional(),
}

/** Access in a response, in both spellings. */
export const accessOutput = {
  access_grants: z.array(accessGrantRecordSchema),
  access_control: accessControlSchema,
}
