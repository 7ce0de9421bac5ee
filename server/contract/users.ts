import { z } from './lazy-zod.ts'
import {
  doneSchema,
  emailSchema,
  idSchema,
  jsonObjectSchema,
  pageSchema,
  roleSchema,
  shownNameSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { groupSchema } from './group.ts'
import { permissionsInputSchema, permissionsSchema } from './permissions.ts'

/** Personal details of a user; null or empty if not given. */
export const profileSchema = z.object({
  username: z.string().nullable(),
  bio: z.string().nullable(),
  gender: z.string().nullable(),
  date_of_birth: z.string().nullable(),
  timezone: z.string().nullable(),
  profile_banner_image_url: z.string().nullable(),
  status_emoji: z.string().nullable(),
  status_message: z.string().nullable(),
  /** Expiry in unix seconds. */
  status_expires_at: z.int().nullable(),
})
export type Profile = z.output<typeof profileSchema>

/** Account as seen by administrators. Times are unix seconds. */
export const userSchema = z
  .looseObject({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role: roleSchema,
    profile_image_url: z.string(),
    ...profileSchema.partial().shape,
    group_ids: z.array(z.string()).optional(),
    groups: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
    is_active: z.boolean().optional(),
    /** True for the account that cannot be demoted or deleted. */
    is_first: z.boolean().optional(),
    /** Time of its last use; until then that of its creation. */
    last_active_at: z.int(),
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'User' })
export type User = z.output<typeof userSchema>

/**
 * Account as seen by all signed-in users; `email` and `role` are visible only to administrators and
 * the user, otherwise empty.
 */
export const userInfoSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.union([roleSchema, z.literal('')]),
    profile_image_url: z.string(),
    bio: z.string().nullable(),
    groups: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
    is_active: z.boolean(),
    ...profileSchema.pick({ status_emoji: true, status_message: true, status_expires_at: true })
      .shape,
  })
  .meta({ id: 'UserInfo' })
export type UserInfo = z.output<typeof userInfoSchema>

/** UI settings, stored per user; the gateway stores `ui` without reading it. */
export const userSettingsSchema = z
  .looseObject({ ui: jsonObjectSchema.optional() })
  .meta({ id: 'UserSettings' })

/** Picture as a `data:` URL of a bitmap, a web URL, or empty for the built-in one. */
export const imageUrlSchema = z.string().max(700_000)

const textOrNull = (longest: number) => z.string().trim().max(longest).nullable()

/** Profile fields the owner fills in; omitted ones stay unchanged. */
export const profileInput = {
  username: textOrNull(100).optional(),
  bio: textOrNull(2000).optional(),
  gender: textOrNull(100).optional(),
  date_of_birth: z.iso.date('is not a date such as 1990-12-31').or(z.literal('')).nullish(),
  /** Web URL; it is sent with every list, so it cannot be the image itself. */
  profile_banner_image_url: z.string().max(2000).nullish(),
}

const DIRECTIONS = ['', 'asc', 'desc'] as const

const searchQuery = z.object({
  query: z.string().max(200).optional(),
  /** Name of a field, or `group_id:<id>` to list the members of that group first. */
  order_by: z
    .string()
    .max(300)
    .regex(
      /^(|name|email|created_at|last_active_at|updated_at|role|group_id:.+)$/,
      'is not something accounts can be ordered by',
    )
    .optional(),
  direction: z.enum(DIRECTIONS).optional(),
  page: pageSchema.optional(),
})

const userParams = z.object({ user_id: idSchema })

export const userEndpoints = defineEndpoints(
  { domain: 'users', tag: 'Users', root: '/api/v1/users' },
  {
    list: {
      method: 'GET',
      path: '/',
      auth: 'admin',
      query: searchQuery.extend({ group_id: idSchema.optional() }),
      response: z.object({ users: z.array(userSchema), total: z.int() }),
      summary:
        'Accounts, 30 a page, the oldest first unless ordered otherwise; `group_id` shows the members of one group only.',
    },
    all: {
      method: 'GET',
      path: '/all',
      auth: 'admin',
      response: z.object({ users: z.array(userSchema), total: z.int() }),
      summary: 'All accounts at once.',
    },
    search: {
      method: 'GET',
      path: '/search',
      query: searchQuery,
      response: z.object({ users: z.array(userInfoSchema), total: z.int() }),
      summary: 'Finds users by name, or by complete e-mail address, to share with them.',
    },
    groups: {
      method: 'GET',
      path: '/groups',
      response: z.array(groupSchema),
      summary: 'The groups of the caller.',
    },
    permissions: {
      method: 'GET',
      path: '/permissions',
      response: permissionsSchema,
      summary: 'Permissions of the caller, from defaults and groups.',
    },
    defaultPermissions: {
      method: 'GET',
      path: '/default/permissions',
      auth: 'admin',
      response: permissionsSchema,
      summary: 'Default permissions of all users, before groups add to them.',
    },
    updateDefaultPermissions: {
      method: 'POST',
      path: '/default/permissions',
      auth: 'admin',
      body: permissionsInputSchema,
      response: permissionsSchema,
      errors: [400],
      summary: 'Changes the default permissions of all users; absent ones keep their values.',
    },
    settings: {
      method: 'GET',
      path: '/user/settings',
      response: userSettingsSchema.nullable(),
      summary: 'Interface settings of the signed-in user.',
    },
    updateSettings: {
      method: 'POST',
      path: '/user/settings/update',
      body: userSettingsSchema,
      response: userSettingsSchema,
      errors: [400, 413],
      summary: 'Replaces the interface settings.',
    },
    status: {
      method: 'GET',
      path: '/user/status',
      feature: 'ENABLE_USER_STATUS',
      response: userSchema,
      errors: [403],
      summary: 'The signed-in user with the status that other users see.',
    },
    updateStatus: {
      method: 'POST',
      path: '/user/status/update',
      feature: 'ENABLE_USER_STATUS',
      body: z.object({
        status_emoji: textOrNull(50).optional(),
        status_message: textOrNull(300).optional(),
        status_expires_at: z.int().min(0).nullish(),
      }),
      response: userSchema,
      errors: [403],
      summary: 'Sets the status that other users see.',
    },
    ownInfo: {
      method: 'GET',
      path: '/user/info',
      response: jsonObjectSchema.nullable(),
      summary: 'Data that clients store about the signed-in user.',
    },
    updateOwnInfo: {
      method: 'POST',
      path: '/user/info/update',
      body: jsonObjectSchema,
      response: jsonObjectSchema,
      errors: [413],
      summary: 'Merges the fields sent into it.',
    },
    updateRole: {
      method: 'POST',
      path: '/update/role',
      auth: 'admin',
      body: z.object({ id: idSchema, role: roleSchema }),
      response: userSchema,
      errors: [403, 404],
      summary: 'Changes the role of an account, for older clients.',
    },
    get: {
      method: 'GET',
      path: '/:user_id',
      auth: 'admin',
      params: userParams,
      response: userSchema,
      errors: [404],
      summary: 'One account.',
    },
    info: {
      method: 'GET',
      path: '/:user_id/info',
      params: userParams,
      response: userInfoSchema,
      errors: [404],
      summary: 'Public data of an account.',
    },
    active: {
      method: 'GET',
      path: '/:user_id/active',
      params: userParams,
      response: z.object({ active: z.boolean() }),
      errors: [404],
      summary: 'Whether a user was active within the last three minutes.',
    },
    groupsOf: {
      method: 'GET',
      path: '/:user_id/groups',
      auth: 'admin',
      params: userParams,
      response: z.array(groupSchema),
      errors: [404],
      summary: 'The groups of an account.',
    },
    update: {
      method: 'POST',
      path: '/:user_id/update',
      auth: 'admin',
      params: userParams,
      body: z.object({
        role: roleSchema.optional(),
        name: shownNameSchema(200).optional(),
        email: emailSchema.optional(),
        /** Old clients send an empty one for no change. */
        password: z.string().max(1024).nullish(),
        profile_image_url: imageUrlSchema.optional(),
        ...profileInput,
      }),
      response: userSchema,
      errors: [400, 403, 404, 429],
      summary: 'Changes an account; a new role or password ends its sessions.',
    },
    updateRoleOf: {
      method: 'POST',
      path: '/:user_id/update/role',
      auth: 'admin',
      params: userParams,
      body: z.object({ role: roleSchema }),
      response: userSchema,
      errors: [403, 404],
      summary: 'Changes the role of an account, for older clients.',
    },
    remove: {
      method: 'DELETE',
      path: '/:user_id',
      auth: 'admin',
      params: userParams,
      response: doneSchema,
      errors: [403, 404],
      summary: 'Deletes an account with its chats and keys.',
    },
    profileImage: {
      method: 'GET',
      path: '/:user_id/profile/image',
      opensByCookie: true,
      reply: 'stream',
      replyTypes: ['image/*'],
      params: userParams,
      response: z.unknown(),
      errors: [404],
      summary: 'The picture of an account.',
    },
  },
)
