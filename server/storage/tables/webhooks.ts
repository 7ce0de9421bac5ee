/**
 * Tables of outbound webhooks as Kysely sees them. Times are unix seconds unless said otherwise.
 */
export interface WebhooksTables {
  webhook_delivery: WebhookDeliveryTable
  /** What signs deliveries to the address of a person. */
  webhook_secret: {
    user_id: string
    /** Encrypted. */
    secret: string
  }
  event_webhook: EventWebhookTable
}

/** An address administrators have told of events. */
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

/** Something a receiver is to be told, or was told last. */
export interface WebhookDeliveryTable {
  id: string
  /** Whose address it goes to; null for that of the gateway and for those of events. */
  user_id: string | null
  /** Which of the addresses of events it goes to. */
  hook_id: string | null
  /** `new_user`, `chat_response`, `test`, or the name of an event. */
  kind: string
  /** JSON of what is told; empty once that is over. */
  facts: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  /** Unix milliseconds. */
  next_attempt_at: number
  /** What the receiver answered last. */
  status: number | null
  problem: string | null
  created_at: number
  finished_at: number | null
}
