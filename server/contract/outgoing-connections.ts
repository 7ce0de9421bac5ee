import { z } from './lazy-zod.ts'
import { pageSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Which part of the gateway opened a connection. `other` is what nobody gave a reason for. */
export const PURPOSE_KINDS = [
  'provider',
  'search',
  'page',
  'reranker',
  'pictures',
  'speech',
  'tool_server',
  'plugin',
  'packages',
  'code',
  'model_download',
  'webhook',
  'sign_in',
  'directory',
  'shared_store',
  'traces',
  'window',
  'update',
  'other',
] as const
export const purposeKindSchema = z.enum(PURPOSE_KINDS)
export type PurposeKind = z.output<typeof purposeKindSchema>

export const OUTCOMES = ['open', 'ended', 'failed', 'refused'] as const
export const outcomeSchema = z.enum(OUTCOMES)
export type Outcome = z.output<typeof outcomeSchema>

/** A connection to another computer. Times are unix milliseconds. */
export const outgoingConnectionSchema = z
  .object({
    id: z.string(),
    began_at: z.number().int(),
    /** Null while it is open. */
    ended_at: z.number().int().nullable(),
    /** As it was asked for, without path or query. */
    host: z.string(),
    port: z.number().int(),
    /** What the name led to; null where nothing was dialled. */
    address: z.string().nullable(),
    /** The proxy that led there, as `host:port`; then `address` is the one of the proxy. */
    via: z.string().nullable(),
    purpose: purposeKindSchema,
    /** Such as the name of the connection to a provider; null where the purpose says it all. */
    name: z.string().nullable(),
    bytes_sent: z.number().int(),
    bytes_received: z.number().int(),
    /** How often the same was refused or failed in the same moment. */
    times: z.number().int(),
    outcome: outcomeSchema,
    /** The code of the fault, such as `ECONNREFUSED` or `sealed`. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'OutgoingConnection' })
export type OutgoingConnection = z.output<typeof outgoingConnectionSchema>

/** All connections to one host and port. */
export const outgoingHostSchema = z
  .object({
    host: z.string(),
    port: z.number().int(),
    connections: z.number().int(),
    refused: z.number().int(),
    bytes_sent: z.number().int(),
    bytes_received: z.number().int(),
    last_at: z.number().int(),
    purposes: z.array(purposeKindSchema),
  })
  .meta({ id: 'OutgoingHost' })
export type OutgoingHost = z.output<typeof outgoingHostSchema>

/** What the gateway cannot see on this system. */
export const unseenSchema = z.enum(['plugin_programs', 'tool_programs', 'windows'])
export type Unseen = z.output<typeof unseenSchema>

/** Which proxies calls go through. */
export const proxyStatusSchema = z.object({
  origin: z.enum(['none', 'settings', 'environment', 'system']),
  /** `host:port`; null where it depends on the address that is called, or cannot be read. */
  address: z.string().nullable(),
})
export type ProxyStatus = z.output<typeof proxyStatusSchema>

export const outgoingFilterSchema = z.object({
  /** Words in host, address or name. */
  text: z.string().max(200).optional(),
  purpose: purposeKindSchema.optional(),
  outcome: outcomeSchema.optional(),
})
export type OutgoingFilter = z.output<typeof outgoingFilterSchema>

const PAGE_SIZE = 50

export const outgoingEndpoints = defineEndpoints(
  { domain: 'outgoing', tag: 'Outgoing connections', root: '/api/v1/outgoing' },
  {
    list: {
      method: 'GET',
      path: '',
      auth: 'admin',
      query: outgoingFilterSchema.extend({
        page: pageSchema.default(1),
        limit: z.coerce.number().int().min(1).max(500).default(PAGE_SIZE),
      }),
      response: z
        .object({
          items: z.array(outgoingConnectionSchema),
          /** Of all that fit the filter. */
          total: z.number().int(),
        })
        .meta({ id: 'OutgoingConnections' }),
      summary: 'Connections that left this computer or were refused, the newest first.',
    },
    hosts: {
      method: 'GET',
      path: '/hosts',
      auth: 'admin',
      query: outgoingFilterSchema,
      response: z.array(outgoingHostSchema),
      summary: 'The same by host and port, the one used last first; the first 500.',
    },
    status: {
      method: 'GET',
      path: '/status',
      auth: 'admin',
      response: z
        .object({
          sealed: z.boolean(),
          /** As the setting says; sealed mode counts as offline in any case. */
          offline: z.boolean(),
          /** Whether sealed mode leaves the own network open, because it is shared with. */
          network: z.boolean(),
          /** Connections of the last 24 hours that were not refused. */
          last_day: z.number().int(),
          /** What was refused in the same time. */
          refused_last_day: z.number().int(),
          /** When the oldest entry is from; null for an empty list. */
          since: z.number().int().nullable(),
          days: z.number().int(),
          most: z.number().int(),
          unseen: z.array(unseenSchema),
          proxy: proxyStatusSchema,
        })
        .meta({ id: 'OutgoingStatus' }),
      summary: 'Whether the gateway is sealed, and what left this computer in the last 24 hours.',
    },
    export: {
      method: 'GET',
      path: '/export',
      auth: 'admin',
      query: outgoingFilterSchema,
      reply: 'stream',
      replyTypes: ['text/csv'],
      response: z.unknown(),
      summary: 'The list as a table of values between commas.',
    },
    clear: {
      method: 'POST',
      path: '/clear',
      auth: 'admin',
      response: z.literal(true),
      summary: 'Forgets all entries but those of open connections.',
    },
  },
)
export type OutgoingStatus = z.output<(typeof outgoingEndpoints)['status']['response']>
