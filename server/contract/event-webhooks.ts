import { z } from './lazy-zod.ts'
import { idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { webhookResultSchema } from './webhooks.ts'

const MOST_FILTERS = 300
const LONGEST_FILTER = 100

/** Result of the last delivery of an event, `test` for one an administrator requested. */
export const eventResultSchema = webhookResultSchema
  .extend({ event: z.string() })
  .meta({ id: 'EventResult' })
export type EventResult = z.output<typeof eventResultSchema>

/** URL that receives events, without its secret. Times are unix seconds. */
export const eventWebhookSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    enabled: z.boolean(),
    /** Events sent to it: names, `<resource>.*` for all of a resource, `*` for all. */
    events: z.array(z.string()),
    created_at: z.int(),
    updated_at: z.int(),
    has_secret: z.boolean(),
    /** Number of pending deliveries. */
    waiting: z.int(),
    last_result: eventResultSchema.nullable(),
  })
  .meta({ id: 'EventWebhook' })
export type EventWebhook = z.output<typeof eventWebhookSchema>

const fields = {
  name: z.string().trim().max(100).nullish(),
  url: z.string().trim().max(2000),
  enabled: z.boolean().optional(),
  /** All events if empty. */
  events: z.array(z.string().trim().max(LONGEST_FILTER)).max(MOST_FILTERS).nullish(),
  /** An empty secret removes the stored one. */
  secret: z.string().trim().max(200).optional(),
  /**
   * Filters by users and groups are not supported: anything but an empty list is rejected, so that
   * no events are sent beyond those intended.
   */
  targets: z.array(z.unknown()).max(100).nullish(),
}

export const eventWebhookCreateSchema = z.object(fields).meta({ id: 'EventWebhookCreate' })
export type EventWebhookCreate = z.output<typeof eventWebhookCreateSchema>

/** Update; omitted fields stay unchanged. */
export const eventWebhookUpdateSchema = z
  .object({ ...fields, url: fields.url.optional() })
  .meta({ id: 'EventWebhookUpdate' })
export type EventWebhookUpdate = z.output<typeof eventWebhookUpdateSchema>

const common = { tag: 'Webhooks', auth: 'admin' } as const
const params = z.object({ webhook_id: idSchema })

export const eventWebhookEndpoints = defineEndpoints(
  { domain: 'eventWebhooks', root: '/api/events', ...common },
  {
    catalogue: {
      method: 'GET',
      path: '',
      response: z
        .object({ schema: z.string(), events: z.array(z.string()) })
        .meta({ id: 'EventCatalogue' }),
      summary: 'The names of all events that URLs can receive.',
    },
    list: {
      method: 'GET',
      path: '/webhooks',
      response: z.array(eventWebhookSchema),
      summary:
        'The URLs that receive events, the oldest first, with the result of the last delivery to each.',
    },
    create: {
      method: 'POST',
      path: '/webhooks',
      body: eventWebhookCreateSchema,
      response: eventWebhookSchema,
      errors: [400],
      summary: 'Adds a URL that receives events.',
    },
    update: {
      method: 'PUT',
      path: '/webhooks/:webhook_id',
      params,
      body: eventWebhookUpdateSchema,
      response: eventWebhookSchema,
      errors: [400, 404],
      summary: 'Changes a URL, its events or its secret; absent fields stay unchanged.',
    },
    remove: {
      method: 'DELETE',
      path: '/webhooks/:webhook_id',
      params,
      response: z.object({ status: z.literal(true) }).meta({ id: 'EventWebhookRemoved' }),
      errors: [404],
      summary: 'Removes a URL and its pending deliveries.',
    },
    test: {
      method: 'POST',
      path: '/webhooks/:webhook_id/test',
      params,
      response: eventResultSchema,
      errors: [404, 429],
      summary: 'Sends one test event to a URL, and returns the result.',
    },
  },
)
