import { z } from './lazy-zod.ts'
import { idSchema, jsonObjectSchema, shownNameSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { permissionsInputSchema, permissionsSchema } from './permissions.ts'
import { groupSchema } from './group.ts'
import { userSchema } from './users.ts'

/** Parts of a group visible to members and to users who share items. */
export const groupInfoSchema = groupSchema
  .pick({
    id: true,
    name: true,
    description: true,
    member_count: true,
    created_at: true,
    updated_at: true,
  })
  .meta({ id: 'GroupInfo' })

const groupBody = z
  .object({
    name: shownNameSchema(200),
    description: z.string().max(2000).default(''),
    permissions: permissionsInputSchema.nullish(),
    data: jsonObjectSchema.nullish(),
    meta: jsonObjectSchema.nullish(),
  })
  .meta({
    id: 'GroupInput',
    example: {
      name: 'Authors',
      description: 'People who make models',
      permissions: { workspace: { models: true } },
    },
  })
const userIdsSchema = z.array(idSchema).max(10_000)
const membersBody = z.object({ user_ids: userIdsSchema })

const namedSchema = z.object({ id: z.string(), name: z.string() })
export type Named = z.output<typeof namedSchema>

const groupParams = z.object({ group_id: idSchema })

export const groupEndpoints = defineEndpoints(
  { domain: 'groups', tag: 'Groups', root: '/api/v1/groups' },
  {
    list: {
      method: 'GET',
      path: '/',
      query: z.object({ share: z.stringbool().optional() }),
      response: z.array(groupSchema),
      summary:
        'All groups for administrators, their own for other users; `share` leaves out groups that resources cannot be shared with.',
    },
    create: {
      method: 'POST',
      path: '/create',
      auth: 'admin',
      body: groupBody,
      response: groupSchema,
      errors: [400],
      summary: 'Creates a group.',
    },
    get: {
      method: 'GET',
      path: '/id/:group_id',
      auth: 'admin',
      params: groupParams,
      response: groupSchema,
      errors: [404],
      summary: 'One group.',
    },
    info: {
      method: 'GET',
      path: '/id/:group_id/info',
      params: groupParams,
      response: groupInfoSchema,
      errors: [404],
      summary: 'Name and size of a group the caller is in.',
    },
    export: {
      method: 'GET',
      path: '/id/:group_id/export',
      auth: 'admin',
      params: groupParams,
      response: groupSchema.extend({ user_ids: z.array(z.string()) }),
      errors: [404],
      summary: 'A group with the ids of its members.',
    },
    preview: {
      method: 'GET',
      path: '/id/:group_id/preview',
      auth: 'admin',
      params: groupParams,
      response: z.object({
        group: groupSchema,
        permissions: permissionsSchema,
        models: z.array(namedSchema),
        knowledge: z.array(namedSchema),
        tools: z.array(namedSchema),
      }),
      errors: [404],
      summary:
        'Permissions of a user who is only a member of this group, and resources shared with the group or with all users.',
    },
    members: {
      method: 'POST',
      path: '/id/:group_id/users',
      auth: 'admin',
      params: groupParams,
      response: z.array(userSchema),
      errors: [404],
      summary: 'The members of a group.',
    },
    update: {
      method: 'POST',
      path: '/id/:group_id/update',
      auth: 'admin',
      params: groupParams,
      body: groupBody.partial().extend({
        description: z.string().max(2000).optional(),
        user_ids: userIdsSchema.optional(),
      }),
      response: groupSchema,
      errors: [400, 404],
      summary: 'Changes a group; `user_ids`, from older clients, replaces its members.',
    },
    addUsers: {
      method: 'POST',
      path: '/id/:group_id/users/add',
      auth: 'admin',
      params: groupParams,
      body: membersBody,
      response: groupSchema,
      errors: [404],
      summary: 'Adds members; unknown ids are ignored.',
    },
    removeUsers: {
      method: 'POST',
      path: '/id/:group_id/users/remove',
      auth: 'admin',
      params: groupParams,
      body: membersBody,
      response: groupSchema,
      errors: [404],
      summary: 'Removes members.',
    },
    remove: {
      method: 'DELETE',
      path: '/id/:group_id/delete',
      auth: 'admin',
      params: groupParams,
      response: z.boolean(),
      errors: [404],
      summary: 'Deletes a group and the grants to it.',
    },
  },
)
