import { z } from './lazy-zod.ts'
import { jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Notice shown above every page. `timestamp` is unix seconds. */
export const bannerSchema = z
  .object({
    id: z.string().min(1).max(256),
    type: z.enum(['info', 'warning', 'error', 'success']),
    title: z.string().max(500).nullish(),
    content: z.string().max(10_000),
    dismissible: z.boolean(),
    timestamp: z.number(),
  })
  .meta({ id: 'Banner' })
export const bannersSchema = z.array(bannerSchema).max(100)
export type Banner = z.output<typeof bannerSchema>

const lineSchema = z.string().max(500)

/** Prompt suggested in a new chat; `title` has one or two lines. */
export const suggestionSchema = z
  .object({ title: z.array(lineSchema).min(1).max(2), content: z.string().min(1).max(10_000) })
  .meta({ id: 'Suggestion' })
export type Suggestion = z.output<typeof suggestionSchema>

/** Suggestions in a request; a single line may be given without a list. */
export const suggestionsInputSchema = z
  .array(
    suggestionSchema.extend({
      title: z.preprocess(
        (title) => (typeof title === 'string' ? [title] : title),
        suggestionSchema.shape.title,
      ),
    }),
  )
  .max(100)

const connectionsConfigSchema = z
  .object({ ENABLE_DIRECT_CONNECTIONS: z.boolean(), ENABLE_BASE_MODELS_CACHE: z.boolean() })
  .meta({ id: 'ConnectionsConfig' })

export const configEndpoints = defineEndpoints(
  { domain: 'configs', tag: 'Configuration', root: '/api' },
  {
    export: {
      method: 'GET',
      path: '/v1/configs/export',
      auth: 'admin',
      response: jsonObjectSchema,
      summary: 'Every setting that was changed, by name; secrets are left out.',
    },
    import: {
      method: 'POST',
      path: '/v1/configs/import',
      auth: 'admin',
      body: z.object({ config: jsonObjectSchema }),
      response: jsonObjectSchema,
      errors: [400],
      summary: 'Stores the settings of an export; unknown names are ignored.',
    },
    connections: {
      method: 'GET',
      path: '/v1/configs/connections',
      aliases: ['/api/v1/configs/direct_connections'],
      auth: 'admin',
      response: connectionsConfigSchema,
      summary: 'Settings of connections to providers.',
    },
    updateConnections: {
      method: 'POST',
      path: '/v1/configs/connections',
      aliases: ['/api/v1/configs/direct_connections'],
      auth: 'admin',
      body: connectionsConfigSchema.partial(),
      response: connectionsConfigSchema,
      errors: [400],
      summary: 'Changes the settings of connections to providers.',
    },
    updateSuggestions: {
      method: 'POST',
      path: '/v1/configs/suggestions',
      auth: 'admin',
      body: z.object({ suggestions: suggestionsInputSchema }),
      response: z.array(suggestionSchema),
      errors: [400],
      summary: 'Replaces the prompts offered in a new chat.',
    },
    banners: {
      method: 'GET',
      path: '/v1/configs/banners',
      response: bannersSchema,
      summary: 'The banners shown above every page.',
    },
    updateBanners: {
      method: 'POST',
      path: '/v1/configs/banners',
      auth: 'admin',
      body: z.object({ banners: bannersSchema }),
      response: bannersSchema,
      errors: [400],
      summary: 'Replaces the banners.',
    },
    webhook: {
      method: 'GET',
      path: '/webhook',
      auth: 'admin',
      response: z.object({ url: z.string() }),
      summary: 'URL that receives events of the gateway.',
    },
    updateWebhook: {
      method: 'POST',
      path: '/webhook',
      auth: 'admin',
      body: z.object({ url: z.string().max(2000) }),
      response: z.object({ url: z.string() }),
      errors: [400],
      summary: 'Changes the URL that receives events of the gateway; empty for none.',
    },
  },
)
