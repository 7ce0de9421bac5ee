import { z } from './lazy-zod.ts'
import { emailSchema, jsonObjectSchema, statusSchema } from './common.ts'
import { suggestionSchema } from './configs.ts'
import { defineEndpoints } from './endpoint.ts'
import { permissionsSchema } from './permissions.ts'

/** Public bootstrap data; signed-in callers get more `features`. */
export const configSchema = z
  .looseObject({
    onboarding: z.boolean().optional(),
    status: z.literal(true),
    name: z.string(),
    version: z.string(),
    product_version: z.string(),
    default_locale: z.string(),
    /** `desktop` if the gateway was started by the desktop app, otherwise `server`. */
    mode: z.enum(['desktop', 'server']),
    oauth: z.object({ providers: z.record(z.string(), z.string()), auto_redirect: z.boolean() }),
    /** Label of the directory for sign-in; absent if directory sign-in is switched off. */
    ldap: z.object({ label: z.string() }).optional(),
    /** True if the first account needs the code from the log. */
    needs_setup_code: z.boolean().optional(),
    /** Switches by name; `folder_max_file_count` is a number or null. */
    features: z.record(z.string(), z.union([z.boolean(), z.number(), z.null()])),
    /**
     * The following fields are for signed-in callers; pending ones get only `ui`. Lists of models
     * are comma-separated ids.
     */
    /** Comma-separated ids; null while none are chosen. */
    default_models: z.string().nullable().optional(),
    default_pinned_models: z.string().optional(),
    default_prompt_suggestions: z.array(suggestionSchema).optional(),
    user_count: z.int().optional(),
    permissions: permissionsSchema.optional(),
    /**
     * Features clients check before they offer code, speech, files and external drives; empty if
     * there is nothing to offer.
     */
    code: z.object({ engine: z.string(), interpreter_engine: z.string() }).optional(),
    audio: z
      .object({
        tts: z.object({ engine: z.string(), voice: z.string(), split_on: z.string() }),
        stt: z.object({ engine: z.string() }),
      })
      .optional(),
    /** Upload limits; `max_size` in MB. Null means none. */
    file: z
      .object({
        max_size: z.int().nullable(),
        max_count: z.int().nullable(),
        image_compression: z.object({
          width: z.int().nullable(),
          height: z.int().nullable(),
        }),
      })
      .optional(),
    google_drive: jsonObjectSchema.optional(),
    onedrive: jsonObjectSchema.optional(),
    license_metadata: z.null().optional(),
    ui: z
      .object({
        pending_user_overlay_title: z.string(),
        pending_user_overlay_content: z.string(),
        response_watermark: z.string(),
      })
      .optional(),
  })
  .meta({ id: 'Config' })
export type GatewayConfig = z.output<typeof configSchema>

export const systemEndpoints = defineEndpoints(
  { domain: 'system', tag: 'System' },
  {
    health: {
      method: 'GET',
      path: '/health',
      auth: 'none',
      response: statusSchema,
      errors: [503],
      summary:
        'Answers 200 while the gateway runs and its file database answers; /ready and /health/db report an outage of a database server.',
    },
    healthDatabase: {
      method: 'GET',
      path: '/health/db',
      auth: 'none',
      response: statusSchema,
      errors: [503],
      summary: 'Answers 200 after a query on the database succeeded.',
    },
    ready: {
      method: 'GET',
      path: '/ready',
      auth: 'none',
      response: statusSchema,
      errors: [503],
      summary:
        'Answers 200 when requests are accepted, 503 while the database cannot be reached or the gateway stops.',
    },
    config: {
      method: 'GET',
      path: '/api/config',
      auth: 'none',
      response: configSchema,
      summary: 'Bootstrap data for clients; more of it for signed-in callers.',
    },
    version: {
      method: 'GET',
      path: '/api/version',
      auth: 'none',
      response: z.object({
        version: z.string(),
        product_version: z.string(),
        deployment_id: z.string(),
      }),
      summary: 'The API line clients gate on, and the product version.',
    },
    versionUpdates: {
      method: 'GET',
      path: '/api/version/updates',
      response: z.object({ current: z.string(), latest: z.string() }),
      summary: 'The product version twice: the gateway does not look for newer ones.',
    },
    changelog: {
      method: 'GET',
      path: '/api/changelog',
      response: z.record(z.string(), z.looseObject({ date: z.string() })),
      summary: 'Changelog by version.',
    },
    usage: {
      method: 'GET',
      path: '/api/usage',
      response: z.object({ model_ids: z.array(z.string()), user_count: z.int() }),
      errors: [403],
      summary: 'Models that are writing an answer, and the number of recently active users.',
    },
    manifest: {
      method: 'GET',
      path: '/manifest.json',
      auth: 'none',
      response: jsonObjectSchema,
      summary:
        'Web app manifest: installs the interface as an app, and lets other apps share texts with it.',
    },
    opensearch: {
      method: 'GET',
      path: '/opensearch.xml',
      auth: 'none',
      reply: 'stream',
      replyTypes: ['application/opensearchdescription+xml'],
      response: z.string(),
      summary: 'OpenSearch description, with which a browser asks questions from its address bar.',
    },
    watch: {
      method: 'GET',
      path: '/watch',
      auth: 'none',
      reply: 'stream',
      query: z.object({ v: z.string().max(100).optional() }),
      response: z.unknown(),
      summary:
        'Redirects from the path of a video, appended to the URL of the gateway, to a new chat about it.',
    },
    openapi: {
      method: 'GET',
      path: '/openapi.json',
      auth: 'admin',
      response: z.record(z.string(), z.unknown()),
      summary: 'This API as an OpenAPI 3.1 document. Needs no sign-in when ENV=dev.',
    },
    gravatar: {
      method: 'GET',
      path: '/api/v1/utils/gravatar',
      query: z.object({ email: emailSchema }),
      response: z.string(),
      summary:
        'URL of the Gravatar picture of an e-mail address. The gateway sends no request; a client that opens the URL does.',
    },
  },
)
