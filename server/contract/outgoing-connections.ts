import { z } from './lazy-zod.ts'
import { doneSchema, pageSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Part of the gateway that opened a connection. `other` means that no purpose was given. */
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
  'word_list',
  'other',
] as const
export const purposeKindSchema = z.enum(PURPOSE_KINDS)
export type PurposeKind = z.output<typeof purposeKindSchema>

export const OUTCOMES = ['open', 'ended', 'failed', 'refused'] as const
export const outcomeSchema = z.enum(OUTCOMES)
export type Outcome = z.output<typeof outcomeSchema>

/** Connection to another computer. Times are unix milliseconds. */
export const outgoingConnectionSchema = z
  .object({
    id: z.string(),
    began_at: z.int(),
    /** Null while it is open. */
    ended_at: z.int().nullable(),
    /** Host as requested, without path or query. */
    host: z.string(),
    port: z.int(),
    /** IP address to which the name was resolved; null if no connection was attempted. */
    address: z.string().nullable(),
    /** Proxy that was used, as `host:port`; `address` is then that of the proxy. */
    via: z.string().nullable(),
    purpose: purposeKindSchema,
    /** For example the name of the provider connection; null if the purpose is sufficient. */
    name: z.string().nullable(),
    bytes_sent: z.int(),
    bytes_received: z.int(),
    /** Number of identical refusals or failures at the same moment. */
    times: z.int(),
    outcome: outcomeSchema,
    /** Code of the error, such as `ECONNREFUSED` or `sealed`. */
    fault: z.string().nullable(),
  })
  .meta({ id: 'OutgoingConnection' })
export type OutgoingConnection = z.output<typeof outgoingConnectionSchema>

/** All connections to one host and port. */
export const outgoingHostSchema = z
  .object({
    host: z.string(),
    port: z.int(),
    connections: z.int(),
    refused: z.int(),
    bytes_sent: z.int(),
    bytes_received: z.int(),
    last_at: z.int(),
    purposes: z.array(purposeKindSchema),
  })
  .meta({ id: 'OutgoingHost' })
export type OutgoingHost = z.output<typeof outgoingHostSchema>

/** Kinds of connections the gateway cannot see on this system. */
export const unseenSchema = z.enum(['plugin_programs', 'tool_programs', 'windows'])
export type Unseen = z.output<typeof unseenSchema>

/** Proxies in use. */
export const proxyStatusSchema = z.object({
  origin: z.enum(['none', 'settings', 'environment', 'system']),
  /** `host:port`; null if it depends on the called URL, or cannot be read. */
  address: z.string().nullable(),
})
export type ProxyStatus = z.output<typeof proxyStatusSchema>

export const outgoingFilterSchema = z.object({
  /** Search terms for host, address or name. */
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
          /** Number of all entries that match the filter. */
          total: z.int(),
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
      summary: 'The same by host and port, the last used first; at most 500.',
    },
    status: {
      method: 'GET',
      path: '/status',
      auth: 'admin',
      response: z
        .object({
          sealed: z.boolean(),
          /** Value of the setting; sealed mode always counts as offline. */
          offline: z.boolean(),
          /**
           * True if sealed mode leaves the local network open, because the gateway is shared with
           * it.
           */
          network: z.boolean(),
          /** Number of connections in the last 24 hours that were not refused. */
          last_day: z.int(),
          /** Number of refused connections in the same period. */
          refused_last_day: z.int(),
          /** Time of the oldest entry; null for an empty list. */
          since: z.int().nullable(),
          days: z.int(),
          most: z.int(),
          unseen: z.array(unseenSchema),
          proxy: proxyStatusSchema,
        })
        .meta({ id: 'OutgoingStatus' }),
      summary:
        'Whether the gateway is sealed, and the number of outgoing connections in the last 24 hours.',
    },
    export: {
      method: 'GET',
      path: '/export',
      auth: 'admin',
      query: outgoingFilterSchema,
      reply: 'stream',
      replyTypes: ['text/csv'],
      response: z.unknown(),
      summary: 'The list as CSV.',
    },
    clear: {
      method: 'POST',
      path: '/clear',
      auth: 'admin',
      response: doneSchema,
      summary: 'Deletes all entries except those of open connections.',
    },
  },
)
export type OutgoingStatus = z.output<(typeof outgoingEndpoints)['status']['response']>
