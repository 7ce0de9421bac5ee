/**
 * Tables of outbound webhooks as Kysely sees them. Times are unix seconds unless stated otherwise.
 */
export interface WebhooksTables {
  webhook_delivery: WebhookDeliveryTable
  /** Secret that signs deliveries to the URL of a user. */
  webhook_secret: {
    user_id: string
    /** Encrypted. */
    secret: string
  }
  event_webhook: EventWebhookTable
}

/** A URL that administrators configured for events. */
export interface EventWebhookTable {
  id: string
  name: string
  url: string
  enabled: 0 | 1
  /** JSON list of filters. */
  events: string
  /** Encrypted; null for none. */
  secret: string | null
  created_at: number
  updated_at: number
}

/** A pending delivery to a receiver, or the last one. */
export interface WebhookDeliveryTable {
  id: string
  /** Owner of the URL; null for the gateway's own and for event webhooks. */
  user_id: string | null
  /** Id of the event webhook. */
  hook_id: string | null
  /** `new_user`, `chat_response`, `test`, or the name of an event. */
  kind: string
  /** JSON of the content; empty after the delivery has ended. */
  facts: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  /** Unix milliseconds. */
  next_attempt_at: number
  /** Status of the receiver's last response. */
  status: number | null
  problem: string | null
  created_at: number
  finished_at: number | null
}
