/** Tables of outbound webhooks as Kysely sees them. Times are unix seconds unless said otherwise. */
export interface WebhooksTables {
  webhook_delivery: WebhookDeliveryTable
  /** What signs deliveries to the address of a person. */
  webhook_secret: {
    user_id: string
    /** Encrypted. */
    secret: string
  }
}

/** Something a receiver is to be told, or was told last. */
export interface WebhookDeliveryTable {
  id: string
  /** Whose address it goes to; null for that of the gateway. */
  user_id: string | null
  kind: 'new_user' | 'chat_response' | 'test'
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
