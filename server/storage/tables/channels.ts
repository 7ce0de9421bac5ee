import type { Generated } from 'kysely'

/** Tables of channels as Kysely sees them. Times are unix microseconds; booleans are 0 and 1. */
export interface ChannelsTables {
  channel: ChannelTable
  channel_member: ChannelMemberTable
  channel_mark: { user_id: string; channel_id: string; last_read_at: number }
  channel_message: ChannelMessageTable
  channel_reaction: {
    seq: Generated<number>
    message_seq: number
    name: string
    user_id: string
    created_at: number
  }
  channel_mention: { user_id: string; channel_id: string; created_at: number; message_seq: number }
  channel_file: ChannelFileTable
  channel_webhook: ChannelWebhookTable
  channel_webhook_identity: {
    seq: Generated<number>
    webhook_id: string
    channel_id: string
    name: string
    /** A `data:` URL; null for the built-in picture. */
    picture: string | null
    created_at: number
  }
}

export interface ChannelTable {
  id: string
  user_id: string
  type: 'group' | 'dm' | null
  name: string
  description: string | null
  is_private: number
  /** JSON. */
  data: string | null
  /** JSON. */
  meta: string | null
  /** Hash of the members of a direct conversation; null for other channels and deleted ones. */
  people: string | null
  created_at: number
  updated_at: number
  updated_by: string | null
  deleted_at: number | null
}

export interface ChannelMemberTable {
  id: string
  channel_id: string
  user_id: string
  role: 'manager' | null
  is_active: number
  invited_at: number | null
  invited_by: string | null
  joined_at: number
  left_at: number | null
  created_at: number
  updated_at: number
}

export interface ChannelMessageTable {
  seq: Generated<number>
  id: string
  channel_id: string
  user_id: string
  webhook_id: string | null
  /** Name and picture of the webhook at that time. */
  identity: number | null
  model_id: string | null
  model_name: string | null
  /** 0 while a model is writing it. */
  done: Generated<number>
  /** Reason why the answer of a model ended early. */
  error: string | null
  parent_id: string | null
  reply_to_id: string | null
  content: string
  /** JSON. */
  data: string | null
  /** JSON of the data stored by the client. */
  meta: string | null
  pinned_at: number | null
  pinned_by: string | null
  /** Maintained by triggers. */
  reply_count: Generated<number>
  latest_reply_at: number | null
  created_at: number
  updated_at: number
  edited_at: number | null
}

export interface ChannelFileTable {
  file_id: string
  message_seq: number
  channel_id: string
  name: string
  content_type: string
  size: number
}

export interface ChannelWebhookTable {
  id: string
  channel_id: string
  user_id: string
  token_hash: string
  /** Current name and picture. */
  identity: number
  last_used_at: number | null
  created_at: number
  updated_at: number
}
