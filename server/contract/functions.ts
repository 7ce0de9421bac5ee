import { z } from './lazy-zod.ts'
import {
  authorSchema,
  doneSchema,
  flagSchema,
  idSchema,
  jsonObjectSchema,
  knownVersion,
  shownNameSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { pluginContentSchema, pluginIdSchema, pluginMetaSchema } from './plugins.ts'
import { defineValveEndpoints } from './valves.ts'
import { loadAddressSchema, loadedSourceSchema } from './tools.ts'

/** Function as shown in lists. Times are unix seconds. */
export const functionItemSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    name: z.string(),
    type: z.enum(['pipe', 'filter', 'action', 'event']),
    meta: pluginMetaSchema,
    /**
     * True if it is in use: a pipe offers models, a filter and an action apply if they are global
     * or named by a model.
     */
    is_active: z.boolean(),
    is_global: z.boolean(),
    has_user_valves: z.boolean(),
    /**
     * Part of the gateway itself: it can be enabled and disabled like any other, but its code
     * (`content` is empty) can be neither changed nor deleted.
     */
    is_built_in: z.boolean(),
    /** Reason why it does not run now; null if it does. */
    fault: z.string().nullable(),
    /** Missing package without which it does not run; it can be installed together with it. */
    missing_package: z.string().nullable(),
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'FunctionItem' })
export type FunctionItem = z.output<typeof functionItemSchema>

/** Function with the account that created it, for administrators. */
export const ownedFunctionSchema = functionItemSchema
  .extend({ user: authorSchema })
  .meta({ id: 'OwnedFunction' })
export type OwnedFunction = z.output<typeof ownedFunctionSchema>

/** Function with its source. */
export const functionSchema = ownedFunctionSchema
  .extend({ content: z.string() })
  .meta({ id: 'Function' })
export type FunctionRecord = z.output<typeof functionSchema>

/** Function in an export; with its settings if they were requested. */
const exportedFunctionSchema = functionSchema
  .extend({ valves: jsonObjectSchema.optional() })
  .meta({ id: 'ExportedFunction' })

/**
 * New function; its kind follows from the class in the source. Its code is loaded before it is
 * stored.
 */
export const functionInputSchema = z
  .object({
    id: pluginIdSchema,
    name: shownNameSchema(500),
    content: pluginContentSchema,
    meta: pluginMetaSchema.default({}),
  })
  .meta({
    id: 'FunctionInput',
    example: {
      id: 'shout',
      name: 'Shout',
      content: 'class Filter:\n    def outlet(self, body):\n        return body\n',
      meta: { description: 'Looks at finished answers.' },
    },
  })

/** Update: omitted fields stay unchanged. The id in the body is ignored. */
export const functionUpdateSchema = z
  .object({
    id: z.string().max(256).optional(),
    name: shownNameSchema(500).optional(),
    content: pluginContentSchema.optional(),
    meta: pluginMetaSchema.optional(),
    ...knownVersion,
  })
  .meta({ id: 'FunctionUpdate' })

/** Function from an export of this or another gateway. */
const syncedFunctionSchema = z.looseObject({
  id: pluginIdSchema,
  name: shownNameSchema(500),
  content: pluginContentSchema,
  meta: pluginMetaSchema.default({}),
  is_active: z.boolean().default(false),
  is_global: z.boolean().default(false),
})
export type SyncedFunction = z.output<typeof syncedFunctionSchema>

const tag = 'Functions'
const root = '/api/v1/functions'
const functionParams = z.object({ function_id: idSchema })
const SOURCE_LIMIT = 8 * 1024 * 1024

const valveEndpoints = defineValveEndpoints({
  prefix: 'functions',
  tag,
  place: `${root}/id/:function_id`,
  params: functionParams,
  noun: 'function',
  auth: 'admin',
  errors: [],
  examples: [{ priority: 10 }, { tone: 'friendly' }],
})

export const functionEndpoints = {
  ...defineEndpoints(
    { domain: 'functions', tag: 'Functions', root: '/api/v1/functions' },
    {
      list: {
        method: 'GET',
        path: '/',
        response: z.array(functionItemSchema),
        summary: 'The functions in use; administrators see all of them.',
      },
      page: {
        method: 'GET',
        path: '/list',
        auth: 'admin',
        response: z.array(ownedFunctionSchema),
        summary: 'Every function, with the account that made it.',
      },
      export: {
        method: 'GET',
        path: '/export',
        auth: 'admin',
        query: z.object({ include_valves: flagSchema.optional() }),
        response: z.array(exportedFunctionSchema),
        summary:
          'Every function with its source, and its settings when `include_valves` asks for them; those may hold keys.',
      },
      loadAddress: {
        method: 'POST',
        path: '/load/url',
        auth: 'admin',
        body: loadAddressSchema,
        response: loadedSourceSchema,
        errors: [400, 403, 502, 504],
        summary: 'Fetches the source of a function; nothing is stored.',
      },
      sync: {
        method: 'POST',
        path: '/sync',
        auth: 'admin',
        body: z.object({ functions: z.array(syncedFunctionSchema).max(1000) }).meta({
          id: 'FunctionSync',
          example: {
            functions: [
              { id: 'shout', name: 'Shout', content: 'class Filter:\n    pass\n', is_active: true },
            ],
          },
        }),
        bodyLimit: 64 * 1024 * 1024,
        response: z.array(functionItemSchema),
        errors: [400, 503],
        summary:
          'Makes the stored functions exactly those sent; others are deleted. Nothing changes when one does not load.',
      },
      create: {
        method: 'POST',
        path: '/create',
        auth: 'admin',
        body: functionInputSchema,
        bodyLimit: SOURCE_LIMIT,
        response: functionSchema,
        errors: [400, 503],
        summary:
          'Stores a function, not yet in use; 400 for a taken id and for code that does not load, with the error of Python.',
      },
      get: {
        method: 'GET',
        path: '/id/:function_id',
        auth: 'admin',
        params: functionParams,
        response: functionSchema,
        errors: [404],
        summary: 'One function with its source.',
      },
      toggle: {
        method: 'POST',
        path: '/id/:function_id/toggle',
        auth: 'admin',
        params: functionParams,
        response: functionSchema,
        errors: [400, 404, 503],
        summary: 'Enables or disables a function; 400 if it does not load.',
      },
      toggleGlobal: {
        method: 'POST',
        path: '/id/:function_id/toggle/global',
        auth: 'admin',
        params: functionParams,
        response: functionSchema,
        errors: [404],
        summary: 'Makes a filter or action apply to every model, or only to those that name it.',
      },
      update: {
        method: 'POST',
        path: '/id/:function_id/update',
        auth: 'admin',
        params: functionParams,
        body: functionUpdateSchema,
        bodyLimit: SOURCE_LIMIT,
        response: functionSchema,
        errors: [400, 404, 409, 503],
        summary: 'Changes a function; 400 for code that does not load.',
      },
      remove: {
        method: 'DELETE',
        path: '/id/:function_id/delete',
        auth: 'admin',
        params: functionParams,
        response: doneSchema,
        errors: [404],
        summary: "Deletes a function with all users' settings for it.",
      },
    },
  ),
  ...valveEndpoints,
}
