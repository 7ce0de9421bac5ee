import { z } from './lazy-zod.ts'
import { accessInput, accessOutput } from './access.ts'
import {
  authorSchema,
  doneSchema,
  idSchema,
  jsonObjectSchema,
  knownVersion,
  shownNameSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { pluginContentSchema, pluginIdSchema, pluginMetaSchema } from './plugins.ts'
import { defineValveEndpoints } from './valves.ts'

/** Function definition of a tool for models. */
export const toolSpecSchema = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  parameters: jsonObjectSchema,
})

/**
 * Tool as shown in lists; tool servers are listed as `server:<id>` and `server:mcp:<id>`. Times are
 * unix seconds.
 */
export const toolItemSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    name: z.string(),
    meta: pluginMetaSchema,
    has_user_valves: z.boolean(),
    write_access: z.boolean(),
    /** Reason why it does not run now; null if it does. */
    fault: z.string().nullable(),
    /** For plugins; servers report theirs when they are used. */
    specs: z.array(toolSpecSchema).optional(),
    /** Missing package without which it does not run; it can be installed together with it. */
    missing_package: z.string().nullable(),
    /** For servers with separate sign-in: true if the caller has signed in there. */
    authenticated: z.boolean().optional(),
    user: authorSchema,
    created_at: z.int(),
    updated_at: z.int(),
    ...accessOutput,
  })
  .meta({ id: 'ToolItem' })
export type ToolItem = z.output<typeof toolItemSchema>

/**
 * Tool with its source, which is visible only to users who may change it; for others `content` is
 * empty.
 */
export const toolSchema = toolItemSchema
  .extend({ content: z.string(), specs: z.array(toolSpecSchema) })
  .meta({ id: 'Tool' })
export type Tool = z.output<typeof toolSchema>

/** New tool. Its code is loaded before it is stored. */
export const toolInputSchema = z
  .object({
    id: pluginIdSchema,
    name: shownNameSchema(500),
    content: pluginContentSchema,
    meta: pluginMetaSchema.default({}),
    ...accessInput,
  })
  .meta({
    id: 'ToolInput',
    example: {
      id: 'calculator',
      name: 'Calculator',
      content:
        'class Tools:\n    def add(self, a: int, b: int) -> int:\n        """Adds two numbers."""\n        return a + b\n',
      meta: { description: 'Adds numbers.' },
    },
  })

/** Update: omitted fields stay unchanged. The id in the body is ignored. */
export const toolUpdateSchema = z
  .object({
    id: z.string().max(256).optional(),
    name: shownNameSchema(500).optional(),
    content: pluginContentSchema.optional(),
    meta: pluginMetaSchema.optional(),
    ...knownVersion,
    ...accessInput,
  })
  .meta({ id: 'ToolUpdate' })

/** URL of a source; pages of a repository stand for the file they show. */
export const loadAddressSchema = z
  .object({ url: z.string().min(1).max(4000) })
  .meta({ id: 'PluginAddress', example: { url: 'https://example.org/weather.py' } })
export const loadedSourceSchema = z
  .object({ name: z.string(), content: z.string() })
  .meta({ id: 'PluginFile' })

const tag = 'Tools'
const root = '/api/v1/tools'
const toolParams = z.object({ tool_id: idSchema })
const SOURCE_LIMIT = 8 * 1024 * 1024

const valveEndpoints = defineValveEndpoints({
  prefix: 'tools',
  tag,
  place: `${root}/id/:tool_id`,
  params: toolParams,
  noun: 'tool',
  auth: 'user',
  errors: [403],
  examples: [{ units: 'metric' }, { city: 'Oslo' }],
})

export const toolEndpoints = {
  ...defineEndpoints(
    { domain: 'tools', tag: 'Tools', root: '/api/v1/tools' },
    {
      list: {
        method: 'GET',
        path: '/',
        response: z.array(toolItemSchema),
        summary: 'Every tool the caller may use, tool servers included.',
      },
      page: {
        method: 'GET',
        path: '/list',
        response: z.array(toolItemSchema),
        summary: 'The tools of the workspace the caller may read.',
      },
      export: {
        method: 'GET',
        path: '/export',
        permission: 'workspace.tools_export',
        response: z.array(toolSchema),
        errors: [403],
        summary: 'The tools the caller may change, with their source.',
      },
      loadAddress: {
        method: 'POST',
        path: '/load/url',
        auth: 'admin',
        body: loadAddressSchema,
        response: loadedSourceSchema,
        errors: [400, 403, 502, 504],
        summary: 'Fetches the source of a tool; nothing is stored.',
      },
      create: {
        method: 'POST',
        path: '/create',
        permission: 'workspace.tools',
        body: toolInputSchema,
        bodyLimit: SOURCE_LIMIT,
        response: toolSchema,
        errors: [400, 403, 503],
        summary:
          'Stores a tool; 400 for a taken id and for code that does not load, with the error of Python.',
      },
      get: {
        method: 'GET',
        path: '/id/:tool_id',
        params: toolParams,
        response: toolSchema,
        errors: [404],
        summary: 'One tool.',
      },
      update: {
        method: 'POST',
        path: '/id/:tool_id/update',
        params: toolParams,
        body: toolUpdateSchema,
        bodyLimit: SOURCE_LIMIT,
        response: toolSchema,
        errors: [400, 403, 404, 409, 503],
        summary: 'Changes a tool; 400 for code that does not load.',
      },
      updateAccess: {
        method: 'POST',
        path: '/id/:tool_id/access/update',
        params: toolParams,
        body: z.object(accessInput),
        response: toolSchema,
        errors: [403, 404],
        summary: 'Replaces the grants of a tool.',
      },
      remove: {
        method: 'DELETE',
        path: '/id/:tool_id/delete',
        params: toolParams,
        response: doneSchema,
        errors: [403, 404],
        summary: "Deletes a tool with all users' settings for it.",
      },
    },
  ),
  ...valveEndpoints,
}
