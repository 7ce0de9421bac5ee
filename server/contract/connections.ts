import { z } from './lazy-zod.ts'
import { doneSchema, idSchema } from './common.ts'
import { CONNECTION_KIND_NAMES } from './connection-kinds.ts'
import { defineEndpoints } from './endpoint.ts'

/** API of a connection's server; the kinds are described in `connection-kinds.ts`. */
export const connectionKindSchema = z.enum(CONNECTION_KIND_NAMES)
export type { ConnectionKind } from './connection-kinds.ts'

/** A header value may not contain line breaks or other control characters. */
const headersSchema = z.record(
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, 'is not a header name'),
  z
    .string()
    .max(4096)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'contains characters a header cannot carry'),
)

const connectionFields = {
  kind: connectionKindSchema,
  name: z.string().trim().min(1).max(100),
  url: z
    .string()
    .trim()
    .max(2048)
    .regex(/^https?:\/\/[^\s/]+/i, 'must start with http:// or https://'),
  enabled: z.boolean(),
  /** Prepended to every model id of this connection as `prefix.model`; empty for none. */
  prefix_id: z
    .string()
    .trim()
    .max(64)
    .regex(/^[\w-]*$/, 'may contain letters, digits, _ and - only'),
  /** Ids of the shown models; empty for all that the upstream lists. */
  model_ids: z.array(z.string().min(1).max(512)).max(1000),
  headers: headersSchema,
  /** Time limit in seconds for the first byte of an answer. */
  timeout_seconds: z.int().min(1).max(3600),
  /**
   * Overrides whether its models count as local, for example when the task model is chosen; null to
   * decide by the URL.
   */
  connection_type: z.enum(['local', 'external']).nullable(),
  /**
   * Users who may use its models: all signed-in ones, or only those with whom each model is shared.
   * A shared model stays shared in either case.
   */
  access: z.enum(['everybody', 'granted']),
  /** False to connect directly, even if proxies are configured. */
  use_proxy: z.boolean(),
  /**
   * SHA-256 of the only certificate that is trusted here without an authority; null to trust
   * authorities.
   */
  trusted_certificate: z
    .string()
    .regex(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/i, 'must be a SHA-256 fingerprint')
    .nullable(),
}

/** Result of the last contact with a connection; `checked_at` is unix seconds. */
export const connectionStateSchema = z.object({
  status: z.enum(['unknown', 'ok', 'failed', 'disabled']),
  /** Remedy if it failed, in one sentence. */
  detail: z.string().nullable(),
  /** Error code of the failure, such as `upstream_refused_key`; null if none is known. */
  code: z.string().nullable(),
  model_count: z.int(),
  checked_at: z.int().nullable(),
})

/**
 * Connection without its key. `origin` is `environment` for those defined by variables, `found` for
 * an automatically discovered runtime and `built-in` for the bundled one.
 */
export const connectionSchema = z
  .object({
    id: z.string(),
    ...connectionFields,
    has_key: z.boolean(),
    key_hint: z.string().nullable(),
    origin: z.enum(['stored', 'environment', 'found', 'built-in']),
    /** Fields of an environment connection that were changed here and take precedence. */
    overridden: z.array(
      z.enum([
        'name',
        'enabled',
        'prefix_id',
        'model_ids',
        'timeout_seconds',
        'connection_type',
        'access',
        'use_proxy',
        'trusted_certificate',
        'key',
        'headers',
      ]),
    ),
    state: connectionStateSchema,
  })
  .meta({ id: 'Connection' })
export type Connection = z.output<typeof connectionSchema>

/** Connection in a request. An absent `key` keeps the stored one, an empty one removes it. */
export const connectionInputSchema = z
  .object({
    kind: connectionFields.kind,
    name: connectionFields.name,
    url: connectionFields.url,
    enabled: connectionFields.enabled.default(true),
    prefix_id: connectionFields.prefix_id.default(''),
    model_ids: connectionFields.model_ids.default([]),
    headers: connectionFields.headers.default({}),
    timeout_seconds: connectionFields.timeout_seconds.default(60),
    /** Unchanged if absent. */
    connection_type: connectionFields.connection_type.optional(),
    /** Unchanged if absent; `granted` for a new connection. */
    access: connectionFields.access.optional(),
    /** Unchanged if absent; true for a new connection. */
    use_proxy: connectionFields.use_proxy.optional(),
    /** Unchanged if absent. */
    trusted_certificate: connectionFields.trusted_certificate.optional(),
    key: z.string().max(8192).optional(),
  })
  .meta({
    id: 'ConnectionInput',
    example: {
      kind: 'compatible',
      name: 'My provider',
      url: 'https://provider.example/v1',
      key: 'the-key',
    },
  })
export type ConnectionInput = z.output<typeof connectionInputSchema>

/** Result of testing a connection: the responding server, or the failed step and its remedy. */
export const connectionCheckSchema = z
  .object({
    ok: z.boolean(),
    detail: z.string(),
    version: z.string().nullable(),
    models: z.array(z.string()),
    milliseconds: z.number(),
  })
  .meta({ id: 'ConnectionCheck' })
export type ConnectionCheck = z.output<typeof connectionCheckSchema>

/** Program on the gateway's computer that serves models and is not connected yet. */
export const localRuntimeSchema = z
  .object({
    kind: connectionKindSchema,
    name: z.string(),
    url: z.string(),
    model_count: z.int(),
  })
  .meta({ id: 'LocalRuntime' })
export type LocalRuntime = z.output<typeof localRuntimeSchema>

const params = z.object({ connection_id: idSchema })

export const connectionEndpoints = defineEndpoints(
  { domain: 'connections', tag: 'Connections', root: '/api/v1/connections' },
  {
    list: {
      method: 'GET',
      path: '',
      auth: 'admin',
      response: z.array(connectionSchema),
      summary: 'Runtimes and providers with their live state; keys are never shown.',
    },
    local: {
      method: 'GET',
      path: '/local',
      auth: 'admin',
      response: z.array(localRuntimeSchema),
      summary:
        "Looks for programs that serve models on the usual ports of the gateway's own computer; only now, and nowhere else.",
    },
    create: {
      method: 'POST',
      path: '',
      auth: 'admin',
      body: connectionInputSchema,
      response: connectionSchema,
      errors: [400],
      summary: 'Adds a connection.',
    },
    verify: {
      method: 'POST',
      path: '/verify',
      auth: 'admin',
      body: connectionInputSchema.extend({ id: idSchema.optional() }),
      response: connectionCheckSchema,
      summary:
        'Tries a connection without saving it; `id` lends the stored key when `key` is absent and the address is unchanged.',
    },
    update: {
      method: 'POST',
      path: '/:connection_id',
      auth: 'admin',
      params,
      body: connectionInputSchema,
      response: connectionSchema,
      errors: [400, 404],
      summary: 'Changes a connection; all fields except kind and URL of one from the environment.',
    },
    remove: {
      method: 'DELETE',
      path: '/:connection_id',
      auth: 'admin',
      params,
      response: doneSchema,
      errors: [400, 404],
      summary: 'Removes a connection and its key, or the changes to one of the environment.',
    },
  },
)
