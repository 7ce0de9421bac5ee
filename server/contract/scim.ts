import { z } from './lazy-zod.ts'
import { idSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Names of schemas and messages (RFC 7643, RFC 7644). */
export const SCIM_SCHEMAS = Object.freeze({
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  serviceProviderConfig: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
})

const numberText = z
  .string()
  .trim()
  .regex(/^-?\d{1,9}$/, 'is not a whole number')
  .optional()

/** Comma-separated names of attributes. */
const namesText = z.string().max(2000).optional()

const shownQuery = z.object({ attributes: namesText, excludedAttributes: namesText })
/** @NOTE `sortBy` is ignored: the configuration states that sorting is not supported. */
const listQuery = shownQuery.extend({
  startIndex: numberText,
  count: numberText,
  filter: z.string().max(4000).optional(),
})

/** Validated by the handlers, whose errors use the format of the protocol. */
const resourceSchema = jsonObjectSchema

const base = {
  tag: 'SCIM',
  auth: 'scim',
  feature: 'ENABLE_SCIM',
  reply: 'stream',
  replyTypes: ['application/scim+json'],
  errorDialect: 'scim',
  response: jsonObjectSchema,
} as const
const userParams = z.object({ user_id: idSchema })
const groupParams = z.object({ group_id: idSchema })

export const scimEndpoints = defineEndpoints(
  { domain: 'scim', root: '/api/v1/scim/v2', ...base },
  {
    serviceProviderConfig: {
      method: 'GET',
      path: '/ServiceProviderConfig',
      summary: 'Supported parts of SCIM 2.0.',
    },
    resourceTypes: {
      method: 'GET',
      path: '/ResourceTypes',
      summary: 'The kinds of resources: users and groups.',
    },
    resourceType: {
      method: 'GET',
      path: '/ResourceTypes/:type_id',
      params: z.object({ type_id: idSchema }),
      errors: [404],
      summary: 'One kind of resources.',
    },
    schemas: {
      method: 'GET',
      path: '/Schemas',
      summary: 'The attributes of users and groups.',
    },
    schema: {
      method: 'GET',
      path: '/Schemas/:schema_id',
      params: z.object({ schema_id: idSchema }),
      errors: [404],
      summary: 'The attributes of one kind.',
    },
    listUsers: {
      method: 'GET',
      path: '/Users',
      query: listQuery,
      errors: [400],
      summary: 'Accounts that fit a filter, the oldest first, at most 200 at once.',
    },
    createUser: {
      method: 'POST',
      path: '/Users',
      query: shownQuery,
      body: resourceSchema,
      errors: [400, 409],
      summary:
        'Creates an account; answers 201. Without `active` or with `active: true` it can be used at once.',
    },
    getUser: {
      method: 'GET',
      path: '/Users/:user_id',
      params: userParams,
      query: shownQuery,
      errors: [404],
      summary: 'One account.',
    },
    replaceUser: {
      method: 'PUT',
      path: '/Users/:user_id',
      params: userParams,
      query: shownQuery,
      body: resourceSchema,
      errors: [400, 404, 409],
      summary:
        'Replaces the data of an account. `active: false` ends all its sessions and disables it.',
    },
    patchUser: {
      method: 'PATCH',
      path: '/Users/:user_id',
      params: userParams,
      query: shownQuery,
      body: resourceSchema,
      errors: [400, 404, 409],
      summary: 'Changes parts of an account.',
    },
    removeUser: {
      method: 'DELETE',
      path: '/Users/:user_id',
      params: userParams,
      errors: [404],
      summary: 'Deletes an account with all its data; answers 204.',
    },
    listGroups: {
      method: 'GET',
      path: '/Groups',
      query: listQuery,
      errors: [400],
      summary: 'Groups that fit a filter, by name, at most 200 at once.',
    },
    createGroup: {
      method: 'POST',
      path: '/Groups',
      query: shownQuery,
      body: resourceSchema,
      errors: [400, 409],
      summary: 'Creates a group; answers 201.',
    },
    getGroup: {
      method: 'GET',
      path: '/Groups/:group_id',
      params: groupParams,
      query: shownQuery,
      errors: [404],
      summary: 'One group with its members.',
    },
    replaceGroup: {
      method: 'PUT',
      path: '/Groups/:group_id',
      params: groupParams,
      query: shownQuery,
      body: resourceSchema,
      errors: [400, 404, 409],
      summary: 'Replaces name and members of a group.',
    },
    patchGroup: {
      method: 'PATCH',
      path: '/Groups/:group_id',
      params: groupParams,
      query: shownQuery,
      body: resourceSchema,
      errors: [400, 404, 409],
      summary: 'Changes the name of a group, or adds and removes members.',
    },
    removeGroup: {
      method: 'DELETE',
      path: '/Groups/:group_id',
      params: groupParams,
      errors: [404],
      summary: 'Deletes a group; answers 204.',
    },
  },
)
