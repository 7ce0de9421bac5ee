import { z } from 'zod'
import { statusSchema } from './common.ts'
import { defineEndpoint } from './endpoint.ts'

/** Public bootstrap data; signed-in callers get more `features` (reference §1.4). */
export const configSchema = z
  .looseObject({
    onboarding: z.boolean().optional(),
    status: z.literal(true),
    name: z.string(),
    version: z.string(),
    product_version: z.string(),
    default_locale: z.string(),
    /** `desktop` when the gateway was started by the app window, else `server`. */
    mode: z.enum(['desktop', 'server']),
    oauth: z.object({ providers: z.record(z.string(), z.string()), auto_redirect: z.boolean() }),
    features: z.record(z.string(), z.boolean()),
  })
  .meta({ id: 'Config' })
export type GatewayConfig = z.output<typeof configSchema>

export const systemEndpoints = {
  health: defineEndpoint({
    id: 'system.health',
    tag: 'System',
    method: 'GET',
    path: '/health',
    auth: 'none',
    response: statusSchema,
    summary: 'Answers 200 while the gateway is up.',
  }),
  healthDatabase: defineEndpoint({
    id: 'system.healthDatabase',
    tag: 'System',
    method: 'GET',
    path: '/health/db',
    auth: 'none',
    response: statusSchema,
    errors: [503],
    summary: 'Answers 200 after a query on the database succeeded.',
  }),
  ready: defineEndpoint({
    id: 'system.ready',
    tag: 'System',
    method: 'GET',
    path: '/ready',
    auth: 'none',
    response: statusSchema,
    errors: [503],
    summary: 'Answers 200 when requests are accepted, 503 while starting or stopping.',
  }),
  config: defineEndpoint({
    id: 'system.config',
    tag: 'System',
    method: 'GET',
    path: '/api/config',
    auth: 'none',
    response: configSchema,
    summary: 'Bootstrap data for clients; more of it for signed-in callers.',
  }),
  version: defineEndpoint({
    id: 'system.version',
    tag: 'System',
    method: 'GET',
    path: '/api/version',
    auth: 'none',
    response: z.object({ version: z.string(), product_version: z.string() }),
    summary: 'The API line clients gate on, and the product version.',
  }),
  openapi: defineEndpoint({
    id: 'system.openapi',
    tag: 'System',
    method: 'GET',
    path: '/openapi.json',
    auth: 'admin',
    response: z.record(z.string(), z.unknown()),
    summary: 'This API as an OpenAPI 3.1 document. Needs no sign-in when ENV=dev.',
  }),
}
