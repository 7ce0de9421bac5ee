import { z } from 'zod'
import { emailSchema, idSchema, jsonObjectSchema, pageSchema, roleSchema } from './common.ts'
import { defineEndpoint } from './endpoint.ts'

/** An account as admins see it. Times are unix seconds. */
export const userSchema = z
  .looseObject({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
    profile_image_url: z.string(),
    last_active_at: z.number().int().nullable(),
    created_at: z.number().int(),
    updated_at: z.number().int(),
  })
  .meta({ id: 'User' })
export type User = z.output<typeof userSchema>

/** Settings of the interface, kept per user; the gateway stores `ui` without reading it. */
export const userSettingsSchema = z.looseObject({ ui: jsonObjectSchema.optional() }).meta({ id: 'UserSettings' })

const tag = 'Users'
const userParams = z.object({ user_id: idSchema })

export const userEndpoints = {
  list: defineEndpoint({
    id: 'users.list',
    tag,
    method: 'GET',
    path: '/api/v1/users/',
    auth: 'admin',
    query: z.object({ query: z.string().max(200).optional(), page: pageSchema.optional() }),
    response: z.object({ users: z.array(userSchema), total: z.number().int() }),
    summary: 'Accounts, 30 a page.',
  }),
  settings: defineEndpoint({
    id: 'users.settings',
    tag,
    method: 'GET',
    path: '/api/v1/users/user/settings',
    response: userSettingsSchema.nullable(),
    summary: 'Interface settings of the signed-in user.',
  }),
  updateSettings: defineEndpoint({
    id: 'users.updateSettings',
    tag,
    method: 'POST',
    path: '/api/v1/users/user/settings/update',
    body: userSettingsSchema,
    response: userSettingsSchema,
    errors: [400, 413],
    summary: 'Replaces the interface settings.',
  }),
  get: defineEndpoint({
    id: 'users.get',
    tag,
    method: 'GET',
    path: '/api/v1/users/:user_id',
    auth: 'admin',
    params: userParams,
    response: userSchema,
    errors: [404],
    summary: 'One account.',
  }),
  update: defineEndpoint({
    id: 'users.update',
    tag,
    method: 'POST',
    path: '/api/v1/users/:user_id/update',
    auth: 'admin',
    params: userParams,
    body: z.object({
      role: roleSchema.optional(),
      name: z.string().trim().min(1).max(200).optional(),
      email: emailSchema.optional(),
      password: z.string().min(1).max(1024).optional(),
    }),
    response: userSchema,
    errors: [400, 403, 404, 429],
    summary: 'Changes an account; a new role or password ends its sessions.',
  }),
  remove: defineEndpoint({
    id: 'users.remove',
    tag,
    method: 'DELETE',
    path: '/api/v1/users/:user_id',
    auth: 'admin',
    params: userParams,
    response: z.literal(true),
    errors: [403, 404],
    summary: 'Deletes an account with its chats and keys.',
  }),
  profileImage: defineEndpoint({
    id: 'users.profileImage',
    tag,
    method: 'GET',
    path: '/api/v1/users/:user_id/profile/image',
    reply: 'stream',
    params: userParams,
    response: z.unknown(),
    errors: [404],
    summary: 'The picture of an account.',
  }),
}
