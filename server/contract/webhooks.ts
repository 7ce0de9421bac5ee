import { z } from './lazy-zod.ts'
import { defineEndpoints } from './endpoint.ts'

/** Result of the last delivery to a URL. Times are unix seconds. */
export const webhookResultSchema = z
  .object({
    /**
     * Sent as `webhook-id`; identical in every attempt of one delivery, so that receivers recognise
     * a repeated one.
     */
    id: z.string(),
    event: z.enum(['new_user', 'chat_response', 'test']),
    delivered: z.boolean(),
    /** Number of attempts. */
    attempts: z.int(),
    /** Response status of the receiver; null if there was no response. */
    status: z.int().nullable(),
    /** Error message; null for a successful delivery. */
    problem: z.string().nullable(),
    finished_at: z.int(),
  })
  .meta({ id: 'WebhookResult' })
export type WebhookResult = z.output<typeof webhookResultSchema>

/** Receiver of events, without its secret. */
export const webhookSchema = z
  .object({
    /** Empty for none. */
    url: z.string(),
    has_secret: z.boolean(),
    /** Number of pending deliveries. */
    waiting: z.int(),
    last_result: webhookResultSchema.nullable(),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.output<typeof webhookSchema>

/** Update; omitted fields stay unchanged. An empty secret removes the stored one. */
export const webhookUpdateSchema = z
  .object({
    url: z.string().trim().max(2000).optional(),
    secret: z.string().trim().max(200).optional(),
  })
  .meta({ id: 'WebhookUpdate' })
export type WebhookUpdate = z.output<typeof webhookUpdateSchema>

const own = { feature: 'ENABLE_USER_WEBHOOKS' } as const
const gateway = { auth: 'admin' } as const

export const webhookEndpoints = defineEndpoints(
  { domain: 'webhooks', tag: 'Webhooks', root: '/api/v1/webhooks' },
  {
    gateway: {
      ...gateway,
      method: 'GET',
      path: '/gateway',
      response: webhookSchema,
      summary: 'URL that receives reports of new accounts, and the result of the last one.',
    },
    updateGateway: {
      ...gateway,
      method: 'POST',
      path: '/gateway',
      body: webhookUpdateSchema,
      response: webhookSchema,
      errors: [400],
      summary:
        'Changes the URL that receives reports of new accounts, and the secret that signs them.',
    },
    testGateway: {
      ...gateway,
      method: 'POST',
      path: '/gateway/test',
      response: webhookResultSchema,
      errors: [400, 429],
      summary: 'Sends one test event to the URL of the gateway, and returns the result.',
    },
    own: {
      ...own,
      method: 'GET',
      path: '/own',
      response: webhookSchema,
      errors: [403],
      summary: 'URL that receives notices of answers while no window of the caller has the focus.',
    },
    updateOwn: {
      ...own,
      method: 'POST',
      path: '/own',
      body: webhookUpdateSchema,
      response: webhookSchema,
      errors: [400, 403],
      summary:
        'Changes the URL that receives notices of answers for the caller, and the secret that signs them.',
    },
    testOwn: {
      ...own,
      method: 'POST',
      path: '/own/test',
      response: webhookResultSchema,
      errors: [400, 403, 429],
      summary: 'Sends one test event to the URL of the caller, and returns the result.',
    },
  },
)
